import type { ProviderFacts } from '../provider-facts.ts';

/** A reseller of OpenAI. */
export const aiLs = {
  id: 9,
  label: 'AI.LS',
  colour: 'grey',
  relay: 'adapter',
  retired: true,
  baseUrl: 'https://api.caipacity.com',
  listsModels: true,
  models: [],
} as const satisfies ProviderFacts;
