import type { ProviderFacts } from '../provider-facts.ts';
import { anthropic } from './anthropic.ts';
import { geminiModels } from './gemini.ts';

/** Make videos, which are paid by the second. Some have other names than in the Gemini API. */
export const vertexVeoModels = [
  'veo-3.1-generate-001',
  'veo-3.1-fast-generate-001',
  'veo-3.0-generate-001',
  'veo-3.0-fast-generate-001',
  'veo-2.0-generate-001',
] as const;

/** Addressed by the region. */
export const vertex = {
  id: 41,
  label: 'Vertex AI',
  colour: 'blue',
  relay: 'adapter',
  baseUrl: '',
  keyForm: 'service-account-json',
  other: { meaning: 'region', required: true },
  models: [
    'meta/llama3-405b-instruct-maas',
    ...anthropic.models,
    ...geminiModels,
    ...vertexVeoModels,
  ],
} as const satisfies ProviderFacts;
