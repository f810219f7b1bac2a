import type { ProviderFacts } from '../provider-facts.ts';

export const vidu = {
  id: 52,
  label: 'Vidu',
  colour: 'purple',
  relay: 'tasks',
  baseUrl: 'https://api.vidu.cn',
  models: ['viduq3-pro', 'viduq3-turbo', 'viduq2', 'viduq1'],
} as const satisfies ProviderFacts;
