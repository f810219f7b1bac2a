import type { ProviderFacts } from '../provider-facts.ts';

export const zhinao = {
  id: 19,
  label: { zh: '360 智脑', en: '360 Zhinao' },
  colour: 'blue',
  relay: 'adapter',
  baseUrl: 'https://api.360.cn',
  models: [
    '360gpt-turbo',
    '360gpt-turbo-responsibility-8k',
    '360gpt-pro',
    '360gpt2-pro',
    '360GPT_S2_V9',
    'embedding-bert-512-v1',
    'embedding_s1_v1',
    'semantic_similarity_s1_v1',
  ],
} as const satisfies ProviderFacts;
