import type { ProviderFacts } from '../provider-facts.ts';

/** A reseller of OpenAI. */
export const ohmygpt = {
  id: 7,
  label: 'OhMyGPT',
  colour: 'grey',
  relay: 'adapter',
  retired: true,
  baseUrl: 'https://api.ohmygpt.com',
  listsModels: true,
  models: [],
} as const satisfies ProviderFacts;
