import type { ProviderFacts } from '../provider-facts.ts';

/** Answer in words, pictures and vectors. */
export const geminiModels = [
  'gemini-1.5-pro',
  'gemini-1.5-flash',
  'gemini-1.5-flash-8b',
  'gemini-2.0-flash',
  'gemini-1.5-pro-latest',
  'gemini-1.5-flash-latest',
  'gemini-2.0-flash-lite-preview',
  'gemini-exp-1206',
  'gemini-2.0-flash-exp',
  'gemini-2.0-pro-exp',
  'gemini-2.0-flash-thinking-exp',
  'gemini-2.5-pro-exp-03-25',
  'gemini-2.5-pro-preview-03-25',
  'imagen-3.0-generate-002',
  'gemini-embedding-exp-03-07',
  'text-embedding-004',
  'embedding-001',
] as const;

/** Make videos, which are paid by the second. */
export const veoModels = [
  'veo-3.1-generate-preview',
  'veo-3.1-fast-generate-preview',
  'veo-3.0-generate-001',
  'veo-3.0-fast-generate-001',
  'veo-2.0-generate-001',
] as const;

export const gemini = {
  id: 24,
  label: 'Google Gemini',
  colour: 'orange',
  relay: 'adapter',
  baseUrl: 'https://generativelanguage.googleapis.com',
  other: { meaning: 'api-version' },
  listsModels: true,
  models: [...geminiModels, ...veoModels],
} as const satisfies ProviderFacts;
