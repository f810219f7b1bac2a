import type { ProviderFacts } from '../provider-facts.ts';
import { anthropic } from './anthropic.ts';
import { geminiModels } from './gemini.ts';

/** Addressed by the region. */
export const vertex = {
  id: 41,
  label: 'Vertex AI',
  colour: 'blue',
  relay: 'adapter',
  baseUrl: '',
  keyForm: 'service-account-json',
  other: { meaning: 'region', required: true },
  models: ['meta/llama3-405b-instruct-maas', ...anthropic.models, ...geminiModels],
} as const satisfies ProviderFacts;
