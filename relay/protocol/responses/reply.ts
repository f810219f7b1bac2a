import type { JsonObject, ResponseTerms } from '../canonical.ts';
import { objectAt } from '../json.ts';
import { createResponseStream, type ResponseNames } from './stream.ts';

/** A whole chat answer as a response: a stream of one chunk, of which the last event is used. */
export const responseOf = (
  reply: JsonObject,
  names: ResponseNames,
  terms: ResponseTerms,
): JsonObject => {
  const stream = createResponseStream(names, terms);
  stream.push(reply);
  return objectAt(stream.end().at(-1) ?? {}, 'response');
};
