import type { ProviderFacts } from '../provider-facts.ts';
import { openai } from './openai.ts';

/** A server with OpenAI's protocol at one address. */
export const custom = {
  id: 8,
  label: { zh: '自定义渠道', en: 'Custom channel' },
  colour: 'pink',
  relay: 'adapter',
  baseUrl: '',
  baseUrlRequired: true,
  baseUrlMeaning: 'full-url',
  warning: 'openai-gateway',
  readsBalance: true,
  models: openai.models,
} as const satisfies ProviderFacts;
