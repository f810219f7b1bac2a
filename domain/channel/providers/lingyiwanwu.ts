import type { ProviderFacts } from '../provider-facts.ts';

export const lingyiwanwu = {
  id: 31,
  label: { zh: '零一万物', en: '01.AI (Yi)' },
  colour: 'green',
  relay: 'adapter',
  baseUrl: 'https://api.lingyiwanwu.com',
  listsModels: true,
  models: [
    'yi-large',
    'yi-medium',
    'yi-vision',
    'yi-medium-200k',
    'yi-spark',
    'yi-large-rag',
    'yi-large-turbo',
    'yi-large-preview',
    'yi-large-rag-preview',
  ],
} as const satisfies ProviderFacts;
