import type { ProviderFacts } from '../provider-facts.ts';

export const mistral = {
  id: 42,
  label: 'Mistral AI',
  colour: 'blue',
  relay: 'adapter',
  baseUrl: 'https://api.mistral.ai',
  listsModels: true,
  models: [
    'open-mistral-7b',
    'open-mixtral-8x7b',
    'mistral-small-latest',
    'mistral-medium-latest',
    'mistral-large-latest',
    'mistral-embed',
  ],
} as const satisfies ProviderFacts;
