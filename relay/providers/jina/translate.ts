import { jina as facts } from '../../../domain/channel/providers/jina.ts';
import { openAiLike } from '../shared/openai-like.ts';
import type { TranslatingAdapter } from '../translate.ts';

/** Jina (type 38): vectors and rankings, no chat. */
export const jina: TranslatingAdapter = openAiLike({
  operations: ['embeddings', 'rerank'],
  baseUrl: facts.baseUrl,
  streamUsage: 'keep',
});
