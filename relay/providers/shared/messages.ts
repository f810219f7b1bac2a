import type { JsonObject } from '../../protocol/canonical.ts';
import { isObject, numberAt } from '../../protocol/json.ts';
import { refuseRequest } from '../../protocol/refusal.ts';

/** The conversation of a chat body; what is no object is left out. */
export const messagesOf = (body: JsonObject): readonly JsonObject[] =>
  Array.isArray(body.messages) ? body.messages.filter(isObject) : [];

/** For providers without a `developer` role. */
export const developerAsSystem = (message: JsonObject): JsonObject =>
  message.role === 'developer' ? { ...message, role: 'system' } : message;

/** The newer member takes precedence; providers with only the older one get it under that name. */
export const withMaxTokens = (body: JsonObject): JsonObject => {
  const { max_completion_tokens: most, ...rest } = body;
  return most === undefined || most === null ? rest : { ...rest, max_tokens: most };
};

/** The limit on the answer that the caller gave; the newer member wins. */
export const maxTokensOf = (body: JsonObject): number | null => {
  const most = body.max_completion_tokens ?? body.max_tokens;
  return typeof most === 'number' && Number.isFinite(most) ? most : null;
};

/** Stop words as a list; an empty one when none are given. */
export const stopsOf = (body: JsonObject): readonly string[] => {
  const { stop } = body;
  if (typeof stop === 'string') return [stop];
  return Array.isArray(stop) ? stop.filter((word) => typeof word === 'string') : [];
};

/** For providers that return one answer. @throws a refusal where more are requested */
export const refuseChoices = (body: JsonObject): void => {
  const n = numberAt(body, 'n') ?? 1;
  if (n > 1) refuseRequest(`n is ${n}, but this model gives one answer`);
};
