import type { ProviderFacts } from '../provider-facts.ts';

/** Makes videos in OpenAI's Videos API. */
export const sora = {
  id: 55,
  label: 'Sora',
  colour: 'green',
  relay: 'tasks',
  baseUrl: 'https://api.openai.com',
  models: ['sora-2', 'sora-2-pro'],
} as const satisfies ProviderFacts;
