import type { ProviderFacts } from '../provider-facts.ts';

/** Embeddings and rankings, no chat. */
export const jina = {
  id: 38,
  label: 'Jina',
  colour: 'blue',
  relay: 'adapter',
  baseUrl: 'https://api.jina.ai',
  models: ['jina-clip-v1', 'jina-reranker-v2-base-multilingual'],
} as const satisfies ProviderFacts;
