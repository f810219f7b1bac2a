import type { ProviderFacts } from '../provider-facts.ts';

export const minimax = {
  id: 35,
  label: 'MiniMax',
  colour: 'green',
  relay: 'adapter',
  baseUrl: 'https://api.minimax.chat',
  models: ['abab6.5-chat', 'abab6.5s-chat', 'abab6-chat', 'abab5.5-chat', 'abab5.5s-chat'],
} as const satisfies ProviderFacts;
