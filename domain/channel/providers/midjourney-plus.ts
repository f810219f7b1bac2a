import type { ProviderFacts } from '../provider-facts.ts';

/** A Midjourney proxy with more actions. */
export const midjourneyPlus = {
  id: 5,
  label: 'Midjourney Proxy Plus',
  colour: 'blue',
  relay: 'tasks',
  baseUrl: '',
  baseUrlRequired: true,
  models: [
    'swap_face',
    'mj_imagine',
    'mj_variation',
    'mj_reroll',
    'mj_blend',
    'mj_upscale',
    'mj_describe',
    'mj_upload',
    'mj_zoom',
    'mj_shorten',
    'mj_modal',
    'mj_inpaint',
    'mj_custom_zoom',
    'mj_high_variation',
    'mj_low_variation',
    'mj_pan',
  ],
} as const satisfies ProviderFacts;
