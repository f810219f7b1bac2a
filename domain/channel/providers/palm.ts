import type { ProviderFacts } from '../provider-facts.ts';

/** Shut down by its provider. */
export const palm = {
  id: 11,
  label: 'Google PaLM2',
  colour: 'orange',
  relay: 'adapter',
  baseUrl: 'https://generativelanguage.googleapis.com',
  models: ['PaLM-2'],
} as const satisfies ProviderFacts;
