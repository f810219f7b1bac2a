import { perplexity as facts } from '../../../domain/channel/providers/perplexity.ts';
import type { JsonObject } from '../../protocol/canonical.ts';
import { numberAt, without } from '../../protocol/json.ts';
import { developerAsSystem, messagesOf, withMaxTokens } from '../shared/messages.ts';
import { openAiLike } from '../shared/openai-like.ts';
import type { TranslatingAdapter } from '../translate.ts';

/** Members of OpenAI that are refused here; everything else is passed on. */
const refused = [
  'user',
  'tools',
  'tool_choice',
  'parallel_tool_calls',
  'n',
  'seed',
  'logit_bias',
  'logprobs',
  'top_logprobs',
  'stop',
  'store',
  'metadata',
  'service_tier',
] as const;

const withoutName = (message: JsonObject): JsonObject =>
  without(developerAsSystem(message), ['name']);

/** Only one of the two penalties is taken, and the one by frequency must be above 0. */
const withPenalty = (body: JsonObject): JsonObject => {
  const frequency = numberAt(body, 'frequency_penalty');
  if (frequency === null || frequency <= 0) return without(body, ['frequency_penalty']);
  return without(body, ['presence_penalty']);
};

const bodyOf = (body: JsonObject): JsonObject => {
  const topP = numberAt(body, 'top_p');
  return {
    ...withPenalty(withMaxTokens(without(body, refused))),
    ...(topP !== null && topP >= 1 ? { top_p: 0.99 } : {}),
    messages: messagesOf(body).map(withoutName),
  };
};

/** A stream repeats the whole message with each delta, which no client needs twice. */
export const perplexity: TranslatingAdapter = openAiLike({
  operations: ['chat'],
  baseUrl: facts.baseUrl,
  path: () => '/chat/completions',
  body: bodyOf,
  streamUsage: 'refused',
  streamChoice: (choice) => without(choice, ['message']),
});
