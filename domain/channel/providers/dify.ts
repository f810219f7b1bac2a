import type { ProviderFacts } from '../provider-facts.ts';

export const dify = {
  id: 37,
  label: 'Dify',
  colour: 'teal',
  relay: 'adapter',
  baseUrl: 'https://api.dify.ai',
  warning: 'apps-only',
  models: [],
} as const satisfies ProviderFacts;
