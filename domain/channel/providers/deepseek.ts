import type { ProviderFacts } from '../provider-facts.ts';

export const deepseek = {
  id: 43,
  label: 'DeepSeek',
  colour: 'blue',
  relay: 'adapter',
  baseUrl: 'https://api.deepseek.com',
  readsBalance: true,
  listsModels: true,
  models: ['deepseek-chat', 'deepseek-reasoner'],
} as const satisfies ProviderFacts;
