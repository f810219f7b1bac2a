import type { JsonObject } from '../canonical.ts';
import { defined, isObject, numberAt, objectAt, objectsAt, textAt } from '../json.ts';
import { usageMetadataOf } from './finish-reasons.ts';
import { callPart, candidateOf, spokenParts } from './reply.ts';

export type ContentStream = Readonly<{
  /** Answers that one chunk of OpenAI's shape makes. */
  push: (chunk: JsonObject) => readonly JsonObject[];
  /** The remaining output; called once, after the last chunk. */
  end: () => readonly JsonObject[];
}>;

type Call = { id: unknown; name: string; arguments: string; extra: unknown };
type Choice = { calls: Map<number, Call>; finish: unknown; thought: JsonObject | null };

/** A signature that arrived after its thought. */
const isLateSignature = ({ text, thought, thoughtSignature }: JsonObject): boolean =>
  thought === true && thoughtSignature !== undefined && text === '';

/** It goes out with the last piece of the thought: clients keep no signature without words. */
const withHeldThought = (choice: Choice, parts: readonly JsonObject[]): readonly JsonObject[] =>
  parts.flatMap((part) => {
    const known = choice.thought === null ? [] : [choice.thought];
    const isHeld = part.thought === true && part.thoughtSignature === undefined;
    choice.thought = isHeld ? part : null;
    if (isHeld) return known;
    const [thought] = known;
    if (thought === undefined || !isLateSignature(part)) return [...known, part];
    return [{ ...part, text: thought.text }];
  });

const gather = (calls: Map<number, Call>, delta: JsonObject): void => {
  const place = numberAt(delta, 'index') ?? 0;
  const known = calls.get(place) ?? { id: undefined, name: '', arguments: '', extra: undefined };
  const own = objectAt(delta, 'function');
  calls.set(place, {
    id: known.id ?? delta.id,
    name: known.name || textAt(own, 'name'),
    arguments: known.arguments + textAt(own, 'arguments'),
    extra: known.extra ?? delta.extra_content,
  });
};

const whole = ({ id, name, arguments: text, extra }: Call): JsonObject =>
  callPart(defined({ id, function: { name, arguments: text }, extra_content: extra }));

/**
 * A chat stream as answers of streamGenerateContent. Calls are sent whole in this protocol, so they
 * wait for their last argument; the finish reason and the usage are part of the last answer.
 */
export const createContentStream = (model: string): ContentStream => {
  const choices = new Map<number, Choice>();
  let usage: JsonObject | null = null;
  /** Why the gateway ends an answer early. */
  let notice: JsonObject = {};
  let names: JsonObject = { modelVersion: model };

  const answer = (candidates: readonly JsonObject[]): JsonObject => ({ candidates, ...names });
  const speak = (piece: JsonObject, out: JsonObject[]): void => {
    const index = numberAt(piece, 'index') ?? 0;
    const choice = choices.get(index) ?? { calls: new Map(), finish: null, thought: null };
    choices.set(index, choice);
    const delta = objectAt(piece, 'delta');
    for (const call of objectsAt(delta, 'tool_calls')) gather(choice.calls, call);
    if (typeof piece.finish_reason === 'string') choice.finish = piece.finish_reason;
    const candidate = candidateOf(piece, withHeldThought(choice, spokenParts(delta)), null);
    const parts = objectsAt(objectAt(candidate, 'content'), 'parts');
    const isSilent = parts.length === 0 && Object.keys(candidate).length === 2;
    if (!isSilent) out.push(answer([candidate]));
  };

  return {
    push: (chunk) => {
      const out: JsonObject[] = [];
      const version = textAt(chunk, 'model') || model;
      names = defined({ modelVersion: version, responseId: chunk.id });
      if (isObject(chunk.usage)) usage = chunk.usage;
      if (isObject(chunk.notice)) notice = { notice: chunk.notice };
      for (const piece of objectsAt(chunk, 'choices')) speak(piece, out);
      return out;
    },
    end: () => {
      const candidates = [...choices].map(([index, { calls, finish, thought }]) => {
        const parts = [...(thought === null ? [] : [thought]), ...[...calls.values()].map(whole)];
        return candidateOf({ index }, parts, finish ?? 'stop');
      });
      const counted = usage === null ? {} : { usageMetadata: usageMetadataOf(usage) };
      return [{ ...answer(candidates), ...counted, ...notice }];
    },
  };
};
