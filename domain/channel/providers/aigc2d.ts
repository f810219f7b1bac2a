import type { ProviderFacts } from '../provider-facts.ts';

/** A reseller of OpenAI. */
export const aigc2d = {
  id: 13,
  label: 'AIGC2D',
  colour: 'grey',
  relay: 'adapter',
  retired: true,
  baseUrl: 'https://api.aigc2d.com',
  readsBalance: true,
  listsModels: true,
  models: [],
} as const satisfies ProviderFacts;
