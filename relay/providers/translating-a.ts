import { anthropic } from './anthropic/index.ts';
import { azure } from './azure/index.ts';
import { bedrock } from './bedrock/index.ts';
import { cloudflare } from './cloudflare/index.ts';
import { cohere } from './cohere/index.ts';
import { deepSeek } from './deepseek/index.ts';
import { gemini } from './gemini/index.ts';
import { mistral } from './mistral/index.ts';
import { ollama } from './ollama/index.ts';
import { openRouter } from './openrouter/index.ts';
import { palm } from './palm/index.ts';
import { perplexity } from './perplexity/index.ts';
import { replicate } from './replicate/index.ts';
import type { TranslatingAdapter } from './translate.ts';
import { vertex } from './vertex/index.ts';
import { xai } from './xai/index.ts';

/** Adapters of the families from abroad, by channel type. */
export const translatingProviders: ReadonlyMap<number, TranslatingAdapter> = new Map([
  [3, azure],
  [4, ollama],
  [11, palm],
  [14, anthropic],
  [20, openRouter],
  [24, gemini],
  [27, perplexity],
  [33, bedrock],
  [34, cohere],
  [39, cloudflare],
  [41, vertex],
  [42, mistral],
  [43, deepSeek],
  [48, xai],
  [56, replicate],
]);
