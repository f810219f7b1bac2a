import { bodyFailure } from '../shared/failure.ts';
import type { Provider } from '../types.ts';
import { mediaOf } from './media.ts';
import { createRequest } from './request.ts';
import { responsesOf } from './responses.ts';
import { openAiUsage, usageFromTotal } from './usage.ts';
import { type Variant, variants } from './variants.ts';

const providerFor = (variant: Variant): Provider => {
  const text = {
    request: createRequest(variant),
    usage: variant.completionFromTotal ? usageFromTotal : openAiUsage,
    failure: bodyFailure,
  };
  const { name, owner } = variant;
  return { name, owner, text, responses: responsesOf(text), media: mediaOf(text) };
};

/** Providers that speak OpenAI's protocol on OpenAI's paths, by channel type. */
export const openAiProviders: readonly (readonly [number, Provider])[] = variants.map((variant) => [
  variant.type,
  providerFor(variant),
]);
