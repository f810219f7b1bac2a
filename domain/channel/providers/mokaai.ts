import type { ProviderFacts } from '../provider-facts.ts';

/** Embeddings only. */
export const mokaai = {
  id: 44,
  label: { zh: '嵌入模型：MokaAI M3E', en: 'Embedding model: MokaAI M3E' },
  colour: 'purple',
  relay: 'adapter',
  baseUrl: 'https://api.moka.ai',
  other: { meaning: 'api-version' },
  models: ['m3e-large', 'm3e-base', 'm3e-small'],
} as const satisfies ProviderFacts;
