import type { ProviderFacts } from '../provider-facts.ts';

export const openrouter = {
  id: 20,
  label: 'OpenRouter',
  colour: 'green',
  relay: 'adapter',
  baseUrl: 'https://openrouter.ai/api',
  readsBalance: true,
  listsModels: true,
  models: [],
} as const satisfies ProviderFacts;
