import type { JsonObject, ResponseTerms } from '../canonical.ts';
import { isObject, objectAt, objectsAt, textAt } from '../json.ts';
import { EventList, type ResponseEvent } from './events.ts';
import { errorCodeOf, incompleteReason, usageOf } from './finish-reasons.ts';
import { Output } from './output.ts';

export { encodeEvent, type ResponseEvent } from './events.ts';

export type ResponseNames = Readonly<{
  id: string;
  model: string;
  /** In seconds. */
  createdAt: number;
  newId: () => string;
}>;

export type ResponseStream = Readonly<{
  /** The content of one chunk of OpenAI's shape. */
  push: (chunk: JsonObject) => readonly ResponseEvent[];
  /** Closes the response; called once, after the last chunk. */
  end: () => readonly ResponseEvent[];
  /** Ends the response with an error in place of `end`. */
  fail: (error: Readonly<{ status: number; message: string }>) => readonly ResponseEvent[];
}>;

/** A chat stream as the events of a response. */
export const createResponseStream = (
  names: ResponseNames,
  terms: ResponseTerms,
): ResponseStream => {
  const events = new EventList();
  const output = new Output({ events, newId: names.newId, terms });
  let { model } = names;
  let hasBegun = false;
  let finish: unknown = null;
  let usage: JsonObject | null = null;
  /** Why the gateway ends an answer early. */
  let notice: JsonObject = {};

  const response = (status: string, more: JsonObject): JsonObject => ({
    id: names.id,
    object: 'response',
    created_at: names.createdAt,
    status,
    ...terms.echo,
    error: null,
    incomplete_details: null,
    model,
    output: [],
    usage: null,
    ...more,
  });
  const begin = (): void => {
    if (hasBegun) return;
    hasBegun = true;
    for (const type of ['created', 'in_progress']) {
      events.emit(type, { response: response('in_progress', {}) });
    }
  };
  const keep = (chunk: JsonObject): void => {
    model = textAt(chunk, 'model') || model;
    if (isObject(chunk.usage)) usage = chunk.usage;
    if (isObject(chunk.notice)) notice = { notice: chunk.notice };
  };

  return {
    push: (chunk) => {
      keep(chunk);
      const choice = objectsAt(chunk, 'choices').find(({ index }) => (index ?? 0) === 0);
      if (choice === undefined) return [];
      begin();
      const own = isObject(choice.message) ? choice.message : objectAt(choice, 'delta');
      output.add(own, objectsAt(objectAt(choice, 'logprobs'), 'content'));
      if (typeof choice.finish_reason === 'string') finish = choice.finish_reason;
      return events.take();
    },
    end: () => {
      begin();
      const reason = incompleteReason(finish);
      const items = output.end(reason === null);
      const status = reason === null ? 'completed' : 'incomplete';
      const ended = response(status, {
        incomplete_details: reason === null ? null : { reason },
        output: items,
        usage: usage === null ? null : usageOf(usage),
      });
      events.emit(status, { response: ended, ...notice });
      return events.take();
    },
    fail: ({ status, message }) => {
      begin();
      const error = { code: errorCodeOf(status), message };
      events.emit('failed', { response: response('failed', { error, output: output.finished }) });
      return events.take();
    },
  };
};
