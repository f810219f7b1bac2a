import type { JsonObject } from '../canonical.ts';
import { thoughtIn, wordsIn } from '../chat-words.ts';
import { defined, objectAt, objectsAt, parseObject, textAt } from '../json.ts';
import { countsOf, doneReasonOf } from './finish-reasons.ts';

/** What every line of an answer begins with. */
export type LineHead = Readonly<{ model: string; created_at: string }>;

/** Arguments that are no JSON are not thrown away. */
export const callOf = (call: JsonObject): JsonObject => {
  const own = objectAt(call, 'function');
  const text = textAt(own, 'arguments');
  const args = text.trim() === '' ? {} : (parseObject(text) ?? { raw_arguments: text });
  return defined({ id: call.id, function: { name: textAt(own, 'name'), arguments: args } });
};

type Spoken = Readonly<{ text: string; thought: string; calls?: readonly JsonObject[] }>;

/** What a line holds: a message of a chat, or the response to a prompt. */
export const lineMembers = (
  { text, thought, calls = [] }: Spoken,
  isPrompt: boolean,
): JsonObject => {
  const thinking = thought === '' ? {} : { thinking: thought };
  if (isPrompt) return { response: text, ...thinking };
  const called = calls.length === 0 ? {} : { tool_calls: calls };
  return { message: { role: 'assistant', content: text, ...thinking, ...called } };
};

/** A whole chat answer as this protocol answers. */
export const chatReplyOf = (reply: JsonObject, head: LineHead, isPrompt: boolean): JsonObject => {
  const [choice = {}] = objectsAt(reply, 'choices');
  const message = objectAt(choice, 'message');
  const calls = objectsAt(message, 'tool_calls').map(callOf);
  return {
    ...head,
    ...lineMembers({ text: wordsIn(message), thought: thoughtIn(message), calls }, isPrompt),
    done: true,
    done_reason: doneReasonOf(choice.finish_reason),
    ...countsOf(objectAt(reply, 'usage')),
  };
};

export const embeddingsReplyOf = (reply: JsonObject, { model }: LineHead): JsonObject => {
  const { prompt_eval_count } = countsOf(objectAt(reply, 'usage'));
  const embeddings = objectsAt(reply, 'data').map(({ embedding }) => embedding);
  return defined({ model, embeddings, prompt_eval_count });
};
