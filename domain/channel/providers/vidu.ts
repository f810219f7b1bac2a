import type { ProviderFacts } from '../provider-facts.ts';

export const vidu = {
  id: 52,
  label: 'Vidu',
  colour: 'purple',
  relay: 'none',
  baseUrl: 'https://api.vidu.cn',
  models: [],
} as const satisfies ProviderFacts;
