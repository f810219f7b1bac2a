import type { ProviderFacts } from '../provider-facts.ts';

/** Makes music through a Suno proxy; models are its actions. */
export const suno = {
  id: 36,
  label: 'Suno API',
  colour: 'purple',
  relay: 'tasks',
  baseUrl: '',
  baseUrlRequired: true,
  baseUrlMeaning: 'suno-url',
  models: ['suno_music', 'suno_lyrics'],
} as const satisfies ProviderFacts;
