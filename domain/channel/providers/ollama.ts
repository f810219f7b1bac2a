import type { ProviderFacts } from '../provider-facts.ts';

export const ollama = {
  id: 4,
  label: 'Ollama',
  colour: 'grey',
  relay: 'adapter',
  baseUrl: 'http://localhost:11434',
  listsModels: true,
  models: ['llama3-7b'],
} as const satisfies ProviderFacts;
