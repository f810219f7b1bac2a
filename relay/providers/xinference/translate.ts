import { openAiLike } from '../shared/openai-like.ts';
import type { TranslatingAdapter } from '../translate.ts';

/** An Xinference server (type 47), at an address of the operator's. */
export const xinference: TranslatingAdapter = openAiLike({
  operations: ['chat', 'completions', 'embeddings', 'images', 'rerank', 'speech', 'transcription'],
  baseUrl: '',
  streamUsage: 'ask',
});
