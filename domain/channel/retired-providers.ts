import type { ProviderFacts } from './provider-facts.ts';
import { gemini } from './providers/gemini.ts';
import { openai } from './providers/openai.ts';

type Retired = Readonly<{ id: number; label: string; baseUrl: string; successor: string }>;

/** Types that the relay does not call; stored channels keep number and name. */
const retired: readonly Retired[] = [
  { id: 6, label: 'OpenAIMax', baseUrl: 'https://api.openaimax.com', successor: openai.label },
  { id: 7, label: 'OhMyGPT', baseUrl: 'https://api.ohmygpt.com', successor: openai.label },
  { id: 9, label: 'AI.LS', baseUrl: 'https://api.caipacity.com', successor: openai.label },
  { id: 10, label: 'AI Proxy', baseUrl: 'https://api.aiproxy.io', successor: openai.label },
  { id: 11, label: 'Google PaLM2', baseUrl: gemini.baseUrl, successor: gemini.label },
  { id: 12, label: 'API2GPT', baseUrl: 'https://api.api2gpt.com', successor: openai.label },
  { id: 13, label: 'AIGC2D', baseUrl: 'https://api.aigc2d.com', successor: openai.label },
];

export const retiredProviders: readonly ProviderFacts[] = retired.map((provider) => ({
  ...provider,
  colour: 'grey',
  relay: 'none',
  models: [],
}));
