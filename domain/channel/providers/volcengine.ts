import type { ProviderFacts } from '../provider-facts.ts';

export const volcengine = {
  id: 45,
  label: { zh: '字节火山方舟、豆包、DeepSeek通用', en: 'Volcengine Ark, Doubao, DeepSeek' },
  colour: 'blue',
  relay: 'adapter',
  baseUrl: 'https://ark.cn-beijing.volces.com',
  listsModels: true,
  models: [
    'Doubao-pro-128k',
    'Doubao-pro-32k',
    'Doubao-pro-4k',
    'Doubao-lite-128k',
    'Doubao-lite-32k',
    'Doubao-lite-4k',
    'Doubao-embedding',
  ],
} as const satisfies ProviderFacts;
