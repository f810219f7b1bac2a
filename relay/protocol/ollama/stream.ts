import type { JsonObject } from '../canonical.ts';
import { thoughtIn, wordsIn } from '../chat-words.ts';
import { isObject, numberAt, objectAt, objectsAt, textAt } from '../json.ts';
import { countsOf, doneReasonOf } from './finish-reasons.ts';
import { callOf, type LineHead, lineMembers } from './reply.ts';

export type LineStream = Readonly<{
  /** Lines that one chunk of OpenAI's shape makes. */
  push: (chunk: JsonObject) => readonly JsonObject[];
  /** The lines that are left; called once, after the last chunk. */
  end: () => readonly JsonObject[];
}>;

type Call = { id: unknown; name: string; arguments: string };

const gather = (calls: Map<number, Call>, piece: JsonObject): void => {
  const place = numberAt(piece, 'index') ?? 0;
  const known = calls.get(place) ?? { id: undefined, name: '', arguments: '' };
  const own = objectAt(piece, 'function');
  calls.set(place, {
    id: known.id ?? piece.id,
    name: known.name || textAt(own, 'name'),
    arguments: known.arguments + textAt(own, 'arguments'),
  });
};

const whole = ({ id, name, arguments: text }: Call): JsonObject =>
  callOf({ id, function: { name, arguments: text } });

/**
 * A chat stream as lines. Calls are sent whole in this protocol; counts are part of the last line.
 */
export const createLines = (head: LineHead, isPrompt: boolean): LineStream => {
  const calls = new Map<number, Call>();
  let finish: unknown = null;
  let usage: JsonObject = {};
  let notice: JsonObject = {};
  const silent = { text: '', thought: '' };

  const speak = (choice: JsonObject): readonly JsonObject[] => {
    const delta = objectAt(choice, 'delta');
    for (const piece of objectsAt(delta, 'tool_calls')) gather(calls, piece);
    if (typeof choice.finish_reason === 'string') finish = choice.finish_reason;
    const spoken = { text: wordsIn(delta), thought: thoughtIn(delta) };
    const isSilent = spoken.text === '' && spoken.thought === '';
    return isSilent ? [] : [{ ...head, ...lineMembers(spoken, isPrompt), done: false }];
  };

  return {
    push: (chunk) => {
      if (isObject(chunk.usage)) usage = chunk.usage;
      if (isObject(chunk.notice)) notice = { notice: chunk.notice };
      const [choice] = objectsAt(chunk, 'choices');
      return choice === undefined ? [] : speak(choice);
    },
    end: () => {
      const made = [...calls.values()].map(whole);
      const called = { ...head, ...lineMembers({ ...silent, calls: made }, isPrompt), done: false };
      const last = {
        ...head,
        ...lineMembers(silent, isPrompt),
        done: true,
        done_reason: doneReasonOf(finish),
        ...countsOf(usage),
        ...notice,
      };
      return made.length === 0 ? [last] : [called, last];
    },
  };
};
