import { type AnswerHeaders, retrySeconds } from '../upstream/answer-headers.ts';

/** What matters of an upstream's response headers. */
export type Head = Readonly<{
  contentType: string;
  retryAfterSeconds: number | null;
}>;

export const readHead = (headers: AnswerHeaders): Head => ({
  contentType: headers.get('content-type') ?? 'application/json',
  retryAfterSeconds: retrySeconds(headers.get('retry-after')),
});
