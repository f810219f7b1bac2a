import type { ProviderFacts } from '../provider-facts.ts';

export const submodel = {
  id: 53,
  label: 'SubModel',
  colour: 'blue',
  relay: 'none',
  baseUrl: 'https://llm.submodel.ai',
  models: [],
} as const satisfies ProviderFacts;
