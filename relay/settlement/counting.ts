import type { UserId } from '../../domain/shared/ids.ts';
import type { Logger } from '../../infra/ports/logger.ts';
import type { Offload } from '../offload/offload.ts';
import { shared } from '../offload/shared-bytes.ts';
import type { ApiError } from '../protocol/api-error.ts';
import type { BodyScan } from '../protocol/scan-body.ts';
import { roughPromptTokens, roughTokens } from './rough-tokens.ts';

/** Counting by other threads. */
export type CountingJobs = {
  'count-text': { input: Readonly<{ text: string; model: string }>; output: number };
  'count-prompt': { input: Readonly<{ body: Buffer; model: string }>; output: number };
};

type PromptCountRequest = Readonly<{
  body: Buffer;
  scan: Pick<BodyScan, 'blobBytes' | 'blobs'>;
  /** The model whose table counts: the provider's name of it. */
  model: string;
  userId: UserId;
}>;
type TextCountRequest = Readonly<{ text: string; model: string; userId: UserId }>;

/**
 * How many tokens something takes: the one count behind estimates and bills without a report, and
 * behind the counting APIs where the provider has none.
 */
export type Counting = Readonly<{
  /** May be refused while other counts are waiting. */
  prompt: (request: PromptCountRequest) => Promise<number | ApiError>;
  /** For a bill: never refused, and estimated by size where it cannot be counted. */
  billedPrompt: (request: PromptCountRequest) => Promise<number>;
  billedText: (request: TextCountRequest) => Promise<number>;
}>;

export const createCounting = (
  offload: Offload<CountingJobs>,
  logger: Pick<Logger, 'error'>,
): Counting => {
  const counted = async ({ body, model, userId }: PromptCountRequest, isOwed: boolean) => {
    const options = { owner: String(userId), bytes: body.length, isOwed };
    const result = await offload.run('count-prompt', { body: await shared(body), model }, options);
    return result.kind === 'done' ? result.value : result.error;
  };
  const orElse = async (count: Promise<number | ApiError>, estimate: () => number) => {
    try {
      const tokens = await count;
      if (typeof tokens === 'number') return tokens;
    } catch (error) {
      logger.error({ err: error }, 'tokens of a bill could not be counted');
    }
    return Math.ceil(estimate());
  };
  const countedText = async ({ text, model, userId }: TextCountRequest) => {
    const options = { owner: String(userId), bytes: text.length, isOwed: true };
    const result = await offload.run('count-text', { text, model }, options);
    return result.kind === 'done' ? result.value : result.error;
  };
  return {
    prompt: (request) => counted(request, false),
    billedPrompt: (request) =>
      orElse(counted(request, true), () => roughPromptTokens(request.body.length, request.scan)),
    billedText: async (request) =>
      request.text === '' ? 0 : orElse(countedText(request), () => roughTokens(request.text)),
  };
};
