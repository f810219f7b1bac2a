import type { ProviderFacts } from '../provider-facts.ts';

export const replicate = {
  id: 56,
  label: 'Replicate',
  colour: 'blue',
  relay: 'adapter',
  baseUrl: 'https://api.replicate.com',
  models: [],
} as const satisfies ProviderFacts;
