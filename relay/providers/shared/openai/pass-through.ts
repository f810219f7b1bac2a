import type { PassThroughAdapter, Provider } from '../../types.ts';
import { bodyFailure } from '../failure.ts';
import { createRequest } from './request.ts';
import { responsesOf } from './responses.ts';
import type { OpenAiRules } from './rules.ts';
import { openAiUsage, usageFromTotal } from './usage.ts';

type Passing = Readonly<{ text: PassThroughAdapter } & Required<Pick<Provider, 'responses'>>>;

/** The adapters of a provider that speaks OpenAI's protocol on OpenAI's paths. */
export const openAiPassThrough = (rules: OpenAiRules): Passing => {
  const text = {
    request: createRequest(rules),
    usage: rules.completionFromTotal ? usageFromTotal : openAiUsage,
    failure: bodyFailure,
  };
  return { text, responses: responsesOf(text) };
};
