import type { ProviderFacts } from '../provider-facts.ts';

export const tencent = {
  id: 23,
  label: { zh: '腾讯混元', en: 'Tencent Hunyuan' },
  colour: 'teal',
  relay: 'adapter',
  baseUrl: 'https://hunyuan.tencentcloudapi.com',
  keyForm: 'app-id|secret-id|secret-key',
  models: ['hunyuan-lite', 'hunyuan-standard', 'hunyuan-standard-256K', 'hunyuan-pro'],
} as const satisfies ProviderFacts;
