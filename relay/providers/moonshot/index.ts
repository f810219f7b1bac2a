import { openAiLike } from '../shared/openai-like.ts';
import type { TranslatingAdapter } from '../translate.ts';

/** Moonshot (type 25): usage also stands inside the last choice of a stream. */
export const moonshot: TranslatingAdapter = openAiLike({
  operations: ['chat', 'completions'],
  baseUrl: 'https://api.moonshot.cn',
  streamUsage: 'ask',
});
