import type { ProviderFacts } from '../provider-facts.ts';

/** A reseller of OpenAI. */
export const openaimax = {
  id: 6,
  label: 'OpenAIMax',
  colour: 'grey',
  relay: 'adapter',
  retired: true,
  baseUrl: 'https://api.openaimax.com',
  listsModels: true,
  models: [],
} as const satisfies ProviderFacts;
