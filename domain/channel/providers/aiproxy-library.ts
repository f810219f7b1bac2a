import type { ProviderFacts } from '../provider-facts.ts';

/** Answers out of a knowledge base. */
export const aiproxyLibrary = {
  id: 21,
  label: { zh: '知识库：AI Proxy', en: 'Knowledge base: AI Proxy' },
  colour: 'purple',
  relay: 'adapter',
  baseUrl: 'https://api.aiproxy.io',
  other: { meaning: 'knowledge-base-id', required: true },
  models: [],
} as const satisfies ProviderFacts;
