import type { UserId } from '../../domain/shared/ids.ts';
import type { Logger } from '../../infra/ports/logger.ts';
import type { ApiError } from '../ingress/api-error.ts';
import type { BodyScan } from '../ingress/scan-body.ts';
import type { Offload } from '../offload/offload.ts';
import { shared } from '../offload/shared-bytes.ts';
import { roughPromptTokens, roughTokens } from './rough-tokens.ts';

type PromptAsk = Readonly<{
  body: Buffer;
  scan: Pick<BodyScan, 'blobBytes' | 'blobs'>;
  /** Whose table counts: the name that the provider knows. */
  model: string;
  userId: UserId;
}>;
type TextAsk = Readonly<{ text: string; model: string; userId: UserId }>;

/**
 * How many tokens something takes. The one count behind estimates, bills without a report and the
 * counting APIs; a provider's own counting API belongs behind `prompt`.
 */
export type Counting = Readonly<{
  /** May be refused while other counts are waiting. */
  prompt: (ask: PromptAsk) => Promise<number | ApiError>;
  /** For a bill: never refused, and estimated by size where it cannot be counted. */
  billedPrompt: (ask: PromptAsk) => Promise<number>;
  billedText: (ask: TextAsk) => Promise<number>;
}>;

export const createCounting = (offload: Offload, logger: Pick<Logger, 'error'>): Counting => {
  const counted = async ({ body, model, userId }: PromptAsk, isOwed: boolean) => {
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
  const countedText = async ({ text, model, userId }: TextAsk) => {
    const options = { owner: String(userId), bytes: text.length, isOwed: true };
    const result = await offload.run('count-text', { text, model }, options);
    return result.kind === 'done' ? result.value : result.error;
  };
  return {
    prompt: (ask) => counted(ask, false),
    billedPrompt: (ask) =>
      orElse(counted(ask, true), () => roughPromptTokens(ask.body.length, ask.scan)),
    billedText: async (ask) =>
      ask.text === '' ? 0 : orElse(countedText(ask), () => roughTokens(ask.text)),
  };
};
