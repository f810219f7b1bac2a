import type { ProviderFacts } from '../provider-facts.ts';

export const perplexity = {
  id: 27,
  label: 'Perplexity',
  colour: 'blue',
  relay: 'adapter',
  baseUrl: 'https://api.perplexity.ai',
  models: ['sonar', 'sonar-pro', 'sonar-reasoning', 'sonar-reasoning-pro', 'sonar-deep-research'],
} as const satisfies ProviderFacts;
