import type { ProviderFacts } from '../provider-facts.ts';

export const anthropic = {
  id: 14,
  label: 'Anthropic Claude',
  colour: 'indigo',
  relay: 'adapter',
  baseUrl: 'https://api.anthropic.com',
  listsModels: true,
  models: [
    'claude-instant-1.2',
    'claude-2',
    'claude-2.0',
    'claude-2.1',
    'claude-3-sonnet-20240229',
    'claude-3-opus-20240229',
    'claude-3-haiku-20240307',
    'claude-3-5-haiku-20241022',
    'claude-3-5-sonnet-20240620',
    'claude-3-5-sonnet-20241022',
    'claude-3-7-sonnet-20250219',
    'claude-3-7-sonnet-20250219-thinking',
  ],
} as const satisfies ProviderFacts;
