import type { ProviderFacts } from '../provider-facts.ts';

export const sora = {
  id: 55,
  label: 'Sora',
  colour: 'green',
  relay: 'none',
  baseUrl: 'https://api.openai.com',
  models: [],
} as const satisfies ProviderFacts;
