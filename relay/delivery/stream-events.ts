import type { Usage } from '../../domain/pricing/types.ts';
import type { Admitted } from '../admission/admitted.ts';
import type { TextCall } from '../protocol/calls.ts';
import type { JsonObject } from '../protocol/canonical.ts';

/** Usage in OpenAI's shape. */
export const shownUsage = (usage: Usage): JsonObject => ({
  prompt_tokens: usage.promptTokens,
  completion_tokens: usage.completionTokens,
  total_tokens: usage.promptTokens + usage.completionTokens,
});

export const dataEvent = (value: object): string => `data: ${JSON.stringify(value)}\n\n`;

type Facts = Pick<Admitted, 'requestId' | 'startedAtMs'> & Readonly<{ call: TextCall }>;

const chunkHead = ({ requestId, call, startedAtMs }: Facts): JsonObject => ({
  id: `chatcmpl-${requestId}`,
  object: call.operation === 'completions' ? 'text_completion' : 'chat.completion.chunk',
  created: Math.floor(startedAtMs / 1_000),
  model: call.model,
});

/** For clients that requested usage where the provider gave none. */
export const usageChunk = (facts: Facts, usage: Usage): JsonObject => ({
  ...chunkHead(facts),
  choices: [],
  usage: shownUsage(usage),
});

/** Why the gateway ends an answer: the balance is used up, or a word is blocked. */
export type CutReason = 'quota' | 'words';

const codes = { quota: 'insufficient_quota', words: 'sensitive_words_detected' } as const;
const sentences = {
  quota: 'The balance is used up; the answer ends here',
  words: 'The answer holds words that are not allowed here; it ends here',
} as const;

/** Reports why an answer ends early. */
export const cutOffNotice = (requestId: string, reason: CutReason): JsonObject => ({
  type: 'tollgate_error',
  code: codes[reason],
  message: `${sentences[reason]} (request id: ${requestId})`,
});

/** The end of an answer that must not continue, in OpenAI's shape. */
export const cutOffChunk = (facts: Facts, reason: CutReason): JsonObject => {
  const { call, requestId } = facts;
  const finish = { finish_reason: reason === 'quota' ? 'length' : 'content_filter' };
  const empty = call.operation === 'completions' ? { text: '' } : { delta: {} };
  return {
    ...chunkHead(facts),
    choices: [{ index: 0, ...empty, ...finish }],
    notice: cutOffNotice(requestId, reason),
  };
};
