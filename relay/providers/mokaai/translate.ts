import { mokaai as facts } from '../../../domain/channel/providers/mokaai.ts';
import { embeddingTexts } from '../shared/embeddings.ts';
import { openAiLike } from '../shared/openai-like.ts';
import type { TranslatingAdapter } from '../translate.ts';

/** MokaAI (type 44): vectors only, inputs always in a list. */
export const mokaAi: TranslatingAdapter = openAiLike({
  operations: ['embeddings'],
  baseUrl: facts.baseUrl,
  path: () => '/embeddings',
  body: (own) => ({ ...own, input: embeddingTexts(own) }),
  streamUsage: 'keep',
});
