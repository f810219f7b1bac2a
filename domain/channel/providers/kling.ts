import type { ProviderFacts } from '../provider-facts.ts';

export const kling = {
  id: 50,
  label: { zh: '可灵', en: 'Kling' },
  colour: 'green',
  relay: 'tasks',
  baseUrl: 'https://api.klingai.com',
  keyForm: 'access-key|secret',
  models: [],
} as const satisfies ProviderFacts;
