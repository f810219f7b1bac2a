import type { ProviderFacts } from '../provider-facts.ts';

export const ali = {
  id: 17,
  label: { zh: '阿里通义千问', en: 'Alibaba Tongyi Qianwen' },
  colour: 'orange',
  relay: 'adapter',
  baseUrl: 'https://dashscope.aliyuncs.com',
  other: { meaning: 'plugin-id' },
  listsModels: true,
  models: ['qwen-turbo', 'qwen-plus', 'qwen-max', 'qwen-max-longcontext', 'text-embedding-v1'],
} as const satisfies ProviderFacts;
