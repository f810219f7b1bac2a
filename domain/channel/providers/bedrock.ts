import type { ProviderFacts } from '../provider-facts.ts';

/** Addressed by the region in the key. */
export const bedrock = {
  id: 33,
  label: 'AWS Claude',
  colour: 'indigo',
  relay: 'adapter',
  baseUrl: '',
  keyForm: 'access-key|secret|region',
  listsModels: true,
  models: [
    'claude-instant-1.2',
    'claude-2.0',
    'claude-2.1',
    'claude-3-sonnet-20240229',
    'claude-3-opus-20240229',
    'claude-3-haiku-20240307',
    'claude-3-5-sonnet-20240620',
    'claude-3-5-sonnet-20241022',
    'claude-3-5-haiku-20241022',
    'claude-3-7-sonnet-20250219',
  ],
} as const satisfies ProviderFacts;
