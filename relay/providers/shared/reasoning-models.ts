import type { JsonObject } from '../../protocol/canonical.ts';
import { without } from '../../protocol/json.ts';
import { splitEffort, withCompletionLimit } from './effort.ts';
import { messagesOf } from './messages.ts';

const family = /^(o1|o3|o4|gpt-5)/;
/** These two have neither `system` nor `developer`. */
const withoutInstructions = /^o1-(mini|preview)/;
const knowsDeveloper = /^(o1$|o1-2024-12-17|o3|o4|gpt-5)/;
/** Refused with 400 by reasoning models, even at their default values. */
const refused = ['temperature', 'top_p', 'logprobs', 'top_logprobs'] as const;

/** A name of OpenAI's reasoning families without its effort suffix. */
export const reasoningModel = (
  model: string,
): Readonly<{ model: string; effort: string | null }> =>
  family.test(model) ? splitEffort(model) : { model, effort: null };

const roleFor = (model: string, message: JsonObject, at: number): JsonObject => {
  const { role } = message;
  if (role !== 'system' && role !== 'developer') return message;
  if (withoutInstructions.test(model)) return { ...message, role: 'user' };
  return at === 0 && knowsDeveloper.test(model) ? { ...message, role: 'developer' } : message;
};

/** Where OpenAI's reasoning families differ from chat models. */
export const reasoningBody = (body: JsonObject): JsonObject => {
  if (typeof body.model !== 'string' || !family.test(body.model)) return body;
  const { model, effort } = splitEffort(body.model);
  const drop = /^(o1|o3)/.test(model) ? ['temperature'] : refused;
  return {
    ...withCompletionLimit(without(body, drop)),
    model,
    ...(effort === null ? {} : { reasoning_effort: effort }),
    messages: messagesOf(body).map((message, at) => roleFor(model, message, at)),
  };
};
