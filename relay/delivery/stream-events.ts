import type { Usage } from '../../domain/pricing/types.ts';
import type { Admitted } from '../admission/admitted.ts';
import type { JsonObject } from '../protocol/canonical.ts';

const event = (data: object): Buffer => Buffer.from(`data: ${JSON.stringify(data)}\n\n`);

const chunkOf = ({ requestId, call, startedAtMs }: Admitted): object => ({
  id: `chatcmpl-${requestId}`,
  object: call.operation === 'completions' ? 'text_completion' : 'chat.completion.chunk',
  created: Math.floor(startedAtMs / 1_000),
  model: call.model,
});

/** For clients that requested usage where the provider gave none. */
export const usageEvent = (admitted: Admitted, usage: Usage): Buffer =>
  event({
    ...chunkOf(admitted),
    choices: [],
    usage: {
      prompt_tokens: usage.promptTokens,
      completion_tokens: usage.completionTokens,
      total_tokens: usage.promptTokens + usage.completionTokens,
    },
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

type CutOffParts = Readonly<{ choices: readonly JsonObject[]; notice: JsonObject }>;

/** The choice and the notice that end an answer early, in OpenAI's shape. */
export const cutOffParts = ({ call, requestId }: Admitted, reason: CutReason): CutOffParts => {
  const finish = { finish_reason: reason === 'quota' ? 'length' : 'content_filter' };
  return {
    choices: [
      call.operation === 'completions'
        ? { index: 0, text: '', ...finish }
        : { index: 0, delta: {}, ...finish },
    ],
    notice: cutOffNotice(requestId, reason),
  };
};

/** The end of an answer that must not continue. */
export const cutOffEvent = (admitted: Admitted, reason: CutReason): Buffer =>
  event({ ...chunkOf(admitted), ...cutOffParts(admitted, reason) });
