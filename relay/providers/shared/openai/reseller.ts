import type { PassThroughAdapter } from '../../types.ts';
import { realtimeAt } from '../realtime.ts';
import { mediaOf } from './media.ts';
import { openAiWithResponses } from './pass-through.ts';
import type { OpenAiRules } from './rules.ts';
import { translatingOpenAi } from './translating.ts';

const reasoning = /^(?:o[134]|gpt-5)/;

/** Images and audio in OpenAI's own APIs. */
export const openAiMedia = (text: PassThroughAdapter) => ({ adapter: mediaOf(text) });

/** The adapters of OpenAI itself, and of those who resell it under its own paths. */
export const openAiReseller = (
  baseUrl: string,
  rules: Pick<OpenAiRules, 'organization' | 'cloudflareGateway'> = {},
) => {
  const passing = openAiWithResponses({ baseUrl, streamOptions: 'inject', ...rules });
  return {
    owner: 'openai',
    ...passing,
    media: openAiMedia(passing.text),
    translate: translatingOpenAi(baseUrl),
    realtime: realtimeAt(baseUrl, rules),
    /** Reasoning models need other bodies than chat models. */
    rewritesChat: (model: string) => reasoning.test(model),
  };
};
