import type { ProviderFacts } from '../provider-facts.ts';

/** A reseller of OpenAI. */
export const aiProxy = {
  id: 10,
  label: 'AI Proxy',
  colour: 'grey',
  relay: 'adapter',
  retired: true,
  baseUrl: 'https://api.aiproxy.io',
  readsBalance: true,
  listsModels: true,
  models: [],
} as const satisfies ProviderFacts;
