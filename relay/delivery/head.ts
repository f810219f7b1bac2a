import type { AnswerHeaders } from '../upstream/answer-headers.ts';

/** What matters of an upstream's response headers. */
export type Head = Readonly<{
  contentType: string;
  retryAfterSeconds: number | null;
}>;

const retrySeconds = (text: string | null): number | null => {
  const seconds = text === null || text === '' ? -1 : Number(text);
  return Number.isInteger(seconds) && seconds >= 0 ? seconds : null;
};

export const readHead = (headers: AnswerHeaders): Head => ({
  contentType: headers.get('content-type') ?? 'application/json',
  retryAfterSeconds: retrySeconds(headers.get('retry-after')),
});
