import type { ProviderFacts } from '../provider-facts.ts';
import { openai } from './openai.ts';

/** Answers out of a knowledge base. */
export const fastgpt = {
  id: 22,
  label: { zh: '知识库：FastGPT', en: 'Knowledge base: FastGPT' },
  colour: 'blue',
  relay: 'adapter',
  baseUrl: 'https://fastgpt.run/api/openapi',
  baseUrlMeaning: 'private-url',
  keyForm: 'key-app-id',
  listsModels: true,
  models: openai.models,
} as const satisfies ProviderFacts;
