import type { ProviderFacts } from '../provider-facts.ts';

export const jimeng = {
  id: 51,
  label: { zh: '即梦', en: 'Jimeng' },
  colour: 'blue',
  relay: 'tasks',
  baseUrl: 'https://visual.volcengineapi.com',
  keyForm: 'access-key|secret',
  models: ['jimeng_v30', 'jimeng_v30_1080p', 'jimeng_v30_pro'],
} as const satisfies ProviderFacts;
