import { textAt } from '../shared/json.ts';
import { openAiLike } from '../shared/openai-like.ts';
import type { JsonObject, TranslatingAdapter } from '../translate.ts';

/** With `detail` the steps of a workflow come as events of their own, beside the answer. */
const chunk = (said: JsonObject, event: string): JsonObject => {
  if (event === 'error' && said.error === undefined) {
    return {
      error: { message: textAt(said, 'message') || 'The app failed', code: said.code ?? null },
    };
  }
  if (Array.isArray(said.choices) || event === '' || event === 'answer') return said;
  return { object: 'chat.completion.chunk', choices: [], [event]: said };
};

/** FastGPT (type 22). Its usage is often 0, which counts as none. */
export const fastGpt: TranslatingAdapter = openAiLike({
  operations: ['chat'],
  baseUrl: 'https://fastgpt.run/api/openapi',
  streamUsage: 'keep',
  chunk,
});
