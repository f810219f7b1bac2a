import type { Usage } from '../../domain/pricing/types.ts';
import type { Admitted } from './admitted.ts';

const event = (data: object): Buffer => Buffer.from(`data: ${JSON.stringify(data)}\n\n`);

const chunkOf = ({ requestId, call, startedAtMs }: Admitted): object => ({
  id: `chatcmpl-${requestId}`,
  object: call.operation === 'completions' ? 'text_completion' : 'chat.completion.chunk',
  created: Math.floor(startedAtMs / 1_000),
  model: call.model,
});

/** For clients that asked for usage where the provider gave none. */
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

/** The end of an answer that the balance cannot carry any further. */
export const cutOffEvent = (admitted: Admitted): Buffer => {
  const end =
    admitted.call.operation === 'completions'
      ? { index: 0, text: '', finish_reason: 'length' }
      : { index: 0, delta: {}, finish_reason: 'length' };
  return event({
    ...chunkOf(admitted),
    choices: [end],
    notice: {
      type: 'tollgate_error',
      code: 'insufficient_quota',
      message: `The balance is used up; the answer ends here (request id: ${admitted.requestId})`,
    },
  });
};
