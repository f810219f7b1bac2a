import type { ProviderFacts } from '../provider-facts.ts';

/** Draws through a Midjourney proxy; models are its actions. */
export const midjourney = {
  id: 2,
  label: 'Midjourney Proxy',
  colour: 'light-blue',
  relay: 'tasks',
  baseUrl: '',
  baseUrlRequired: true,
  models: [
    'mj_imagine',
    'mj_variation',
    'mj_reroll',
    'mj_blend',
    'mj_upscale',
    'mj_describe',
    'mj_upload',
  ],
} as const satisfies ProviderFacts;
