import type { ProviderFacts } from '../provider-facts.ts';

export const moonshot = {
  id: 25,
  label: 'Moonshot',
  colour: 'green',
  relay: 'adapter',
  baseUrl: 'https://api.moonshot.cn',
  readsBalance: true,
  listsModels: true,
  models: ['moonshot-v1-8k', 'moonshot-v1-32k', 'moonshot-v1-128k'],
} as const satisfies ProviderFacts;
