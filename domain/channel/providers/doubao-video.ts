import type { ProviderFacts } from '../provider-facts.ts';

export const doubaoVideo = {
  id: 54,
  label: { zh: '豆包视频', en: 'Doubao video' },
  colour: 'blue',
  relay: 'tasks',
  baseUrl: 'https://ark.cn-beijing.volces.com',
  models: [],
} as const satisfies ProviderFacts;
