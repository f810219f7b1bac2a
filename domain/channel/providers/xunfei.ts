import type { ProviderFacts } from '../provider-facts.ts';

export const xunfei = {
  id: 18,
  label: { zh: '讯飞星火认知', en: 'iFlytek Spark' },
  colour: 'blue',
  relay: 'adapter',
  baseUrl: 'wss://spark-api.xf-yun.com',
  keyForm: 'app-id|secret|key',
  other: { meaning: 'model-version', default: 'v2.1' },
  models: [
    'SparkDesk',
    'SparkDesk-v1.1',
    'SparkDesk-v2.1',
    'SparkDesk-v3.1',
    'SparkDesk-v3.5',
    'SparkDesk-v4.0',
  ],
} as const satisfies ProviderFacts;
