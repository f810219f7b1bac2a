import { fastgpt as facts } from '../../../domain/channel/providers/fastgpt.ts';
import type { JsonObject } from '../../protocol/canonical.ts';
import { textAt } from '../../protocol/json.ts';
import { openAiLike } from '../shared/openai-like.ts';
import type { TranslatingAdapter } from '../translate.ts';

/** With `detail` the steps of a workflow are separate events, in addition to the answer. */
const chunk = (data: JsonObject, event: string): JsonObject => {
  if (event === 'error' && data.error === undefined) {
    return {
      error: { message: textAt(data, 'message') || 'The app failed', code: data.code ?? null },
    };
  }
  if (Array.isArray(data.choices) || event === '' || event === 'answer') return data;
  return { object: 'chat.completion.chunk', choices: [], [event]: data };
};

/** FastGPT (type 22). Its usage is often 0, which counts as none. */
export const fastGpt: TranslatingAdapter = openAiLike({
  operations: ['chat'],
  baseUrl: facts.baseUrl,
  streamUsage: 'keep',
  chunk,
});
