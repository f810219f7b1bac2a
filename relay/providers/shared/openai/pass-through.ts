import type { PassThroughAdapter } from '../../types.ts';
import { bodyFailure } from '../failure.ts';
import { createRequest } from './request.ts';
import { responsesOf } from './responses.ts';
import type { OpenAiRules } from './rules.ts';
import { openAiUsage } from './usage.ts';

/** The adapter of a provider with OpenAI's chat on OpenAI's paths. */
export const openAiPassThrough = (rules: OpenAiRules): Readonly<{ text: PassThroughAdapter }> => ({
  text: {
    request: createRequest(rules),
    usage: openAiUsage,
    failure: bodyFailure,
  },
});

/** The same of one that serves the Responses API as well. */
export const openAiWithResponses = (rules: OpenAiRules) => {
  const { text } = openAiPassThrough(rules);
  return { text, responses: responsesOf(text) };
};
