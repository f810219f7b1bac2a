import type { JsonObject } from '../canonical.ts';
import { thoughtIn, wordsIn } from '../chat-words.ts';
import { defined, numberAt, objectAt, objectsAt, textAt } from '../json.ts';
import { finishReasonOf, usageOf } from './finish-reasons.ts';

const listOr = (list: readonly unknown[]): readonly unknown[] | undefined =>
  list.length === 0 ? undefined : list;

const callOf = (call: JsonObject): JsonObject => {
  const own = objectAt(call, 'function');
  const called = { name: textAt(own, 'name'), arguments: textAt(own, 'arguments') || '{}' };
  return { id: textAt(call, 'id'), type: 'function', function: called };
};

/** A whole chat answer as v2 writes it. Thoughts before calls are their plan. */
export const chatReplyOf = (reply: JsonObject, id: string): JsonObject => {
  const [choice = {}] = objectsAt(reply, 'choices');
  const message = objectAt(choice, 'message');
  const calls = objectsAt(message, 'tool_calls').map(callOf);
  const thought = thoughtIn(message);
  const text = wordsIn(message);
  const isPlan = calls.length > 0;
  const content = [
    ...(thought === '' || isPlan ? [] : [{ type: 'thinking', thinking: thought }]),
    ...(text === '' && isPlan ? [] : [{ type: 'text', text }]),
  ];
  return {
    id: textAt(reply, 'id') || id,
    finish_reason: finishReasonOf(choice.finish_reason, choice.stop_reason),
    message: defined({
      role: 'assistant',
      content: listOr(content),
      tool_calls: listOr(calls),
      tool_plan: isPlan && thought !== '' ? thought : undefined,
      citations: listOr(objectsAt(message, 'citations')),
    }),
    usage: usageOf(objectAt(reply, 'usage')),
  };
};

const metaOf = (reply: JsonObject): JsonObject => {
  const input = numberAt(objectAt(reply, 'usage'), 'prompt_tokens');
  const counts = input === null ? undefined : { input_tokens: input };
  return defined({ api_version: { version: '2' }, billed_units: counts, tokens: counts });
};

export const rankingReplyOf = (reply: JsonObject, id: string): JsonObject => ({
  id: textAt(reply, 'id') || id,
  results: objectsAt(reply, 'results'),
  meta: metaOf(reply),
});

export const embeddingsReplyOf = (reply: JsonObject, id: string): JsonObject => ({
  id: textAt(reply, 'id') || id,
  embeddings: { float: objectsAt(reply, 'data').map(({ embedding }) => embedding) },
  meta: metaOf(reply),
  response_type: 'embeddings_by_type',
});
