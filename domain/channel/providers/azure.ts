import type { ProviderFacts } from '../provider-facts.ts';
import { openai } from './openai.ts';

export const azure = {
  id: 3,
  label: 'Azure OpenAI',
  colour: 'teal',
  relay: 'adapter',
  baseUrl: '',
  baseUrlRequired: true,
  baseUrlMeaning: 'endpoint',
  other: { meaning: 'api-version' },
  warning: 'deployment-name',
  listsModels: true,
  models: openai.models,
} as const satisfies ProviderFacts;
