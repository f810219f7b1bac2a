import { moonshot as facts } from '../../../domain/channel/providers/moonshot.ts';
import { openAiLike } from '../shared/openai-like.ts';
import type { TranslatingAdapter } from '../translate.ts';

/** Moonshot (type 25): usage is also inside the last choice of a stream. */
export const moonshot: TranslatingAdapter = openAiLike({
  operations: ['chat', 'completions'],
  baseUrl: facts.baseUrl,
  streamUsage: 'ask',
});
