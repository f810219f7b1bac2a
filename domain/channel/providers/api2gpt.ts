import type { ProviderFacts } from '../provider-facts.ts';

/** A reseller of OpenAI. */
export const api2gpt = {
  id: 12,
  label: 'API2GPT',
  colour: 'grey',
  relay: 'adapter',
  retired: true,
  baseUrl: 'https://api.api2gpt.com',
  readsBalance: true,
  listsModels: true,
  models: [],
} as const satisfies ProviderFacts;
