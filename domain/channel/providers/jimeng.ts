import type { ProviderFacts } from '../provider-facts.ts';

export const jimeng = {
  id: 51,
  label: { zh: '即梦', en: 'Jimeng' },
  colour: 'blue',
  relay: 'none',
  baseUrl: 'https://visual.volcengineapi.com',
  keyForm: 'access-key|secret',
  models: [],
} as const satisfies ProviderFacts;
