import type { ProviderFacts } from '../provider-facts.ts';

/** The first generation of Baidu's API. */
export const baidu = {
  id: 15,
  label: { zh: '百度文心千帆', en: 'Baidu Wenxin Qianfan' },
  colour: 'blue',
  relay: 'adapter',
  baseUrl: 'https://aip.baidubce.com',
  keyForm: 'api-key|secret',
  models: [
    'ERNIE-4.0-8K',
    'ERNIE-3.5-8K',
    'ERNIE-3.5-8K-0205',
    'ERNIE-3.5-8K-1222',
    'ERNIE-Bot-8K',
    'ERNIE-3.5-4K-0205',
    'ERNIE-Speed-8K',
    'ERNIE-Speed-128K',
    'ERNIE-Lite-8K-0922',
    'ERNIE-Lite-8K-0308',
    'ERNIE-Tiny-8K',
    'BLOOMZ-7B',
    'Embedding-V1',
    'bge-large-zh',
    'bge-large-en',
    'tao-8k',
  ],
} as const satisfies ProviderFacts;
