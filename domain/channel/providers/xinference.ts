import type { ProviderFacts } from '../provider-facts.ts';

/** A server of the operator's own. */
export const xinference = {
  id: 47,
  label: 'Xinference',
  colour: 'blue',
  relay: 'adapter',
  baseUrl: '',
  baseUrlRequired: true,
  listsModels: true,
  models: ['bge-reranker-v2-m3', 'jina-reranker-v2'],
} as const satisfies ProviderFacts;
