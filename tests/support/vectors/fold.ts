import type { JsonObject } from '../../../relay/protocol/canonical.ts';

type Call = { id?: unknown; type?: unknown; name?: unknown; arguments: string };
type Choice = {
  texts: Record<string, string>;
  calls: Record<string, Call>;
  extras: JsonObject;
  finish: unknown;
};

/** A stream as a client understands it, whatever the borders of its chunks. */
export type FoldedStream = {
  ids: unknown[];
  models: unknown[];
  choices: Record<string, Choice>;
  usage: unknown;
  error: unknown;
  extras: JsonObject;
};

const fieldsOf = (value: unknown): JsonObject =>
  typeof value === 'object' && value !== null ? { ...value } : {};

const listOf = (value: unknown): readonly JsonObject[] =>
  Array.isArray(value) ? value.map(fieldsOf) : [];

const addTo = (list: unknown[], value: unknown): void => {
  if (typeof value === 'string' && value !== '' && !list.includes(value)) list.push(value);
};

const foldCall = (calls: Record<string, Call>, delta: JsonObject): void => {
  const key = String(delta.index);
  const call = calls[key] ?? { arguments: '' };
  const { name, arguments: text } = fieldsOf(delta.function);
  if (delta.id !== undefined) call.id = delta.id;
  if (delta.type !== undefined) call.type = delta.type;
  if (name !== undefined) call.name = name;
  if (typeof text === 'string') call.arguments += text;
  calls[key] = call;
};

const foldMember = (choice: Choice, name: string, value: unknown): void => {
  if (name === 'role' || value === null || value === '') return;
  if (typeof value === 'string') choice.texts[name] = (choice.texts[name] ?? '') + value;
  else choice.extras[name] = value;
};

const foldDelta = (choice: Choice, delta: JsonObject): void => {
  for (const [name, value] of Object.entries(delta)) {
    if (name !== 'tool_calls') foldMember(choice, name, value);
    else for (const call of listOf(value)) foldCall(choice.calls, call);
  }
};

const foldChoice = (folded: FoldedStream, piece: JsonObject): void => {
  const key = String(piece.index);
  const choice = folded.choices[key] ?? { texts: {}, calls: {}, extras: {}, finish: null };
  foldDelta(choice, fieldsOf(piece.delta));
  if (typeof piece.text === 'string') choice.texts.text = (choice.texts.text ?? '') + piece.text;
  if (piece.finish_reason !== null && piece.finish_reason !== undefined) {
    choice.finish = piece.finish_reason;
  }
  folded.choices[key] = choice;
};

const plainMembers = new Set(['id', 'object', 'created', 'model', 'choices', 'usage', 'error']);

const extrasOf = (chunk: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(chunk).filter(([name]) => !plainMembers.has(name)));

export const foldStream = (chunks: readonly JsonObject[]): FoldedStream => {
  const folded: FoldedStream = {
    ids: [],
    models: [],
    choices: {},
    usage: null,
    error: null,
    extras: {},
  };
  for (const chunk of chunks) {
    addTo(folded.ids, chunk.id);
    addTo(folded.models, chunk.model);
    for (const piece of listOf(chunk.choices)) foldChoice(folded, piece);
    if (chunk.usage !== undefined && chunk.usage !== null) folded.usage = chunk.usage;
    if (chunk.error !== undefined) folded.error = chunk.error;
    Object.assign(folded.extras, extrasOf(chunk));
  }
  return folded;
};

/** Ids of our own making, under the names that the recorded answers use. */
export const withTestIds = <T>(value: T): T => {
  const calls = new Map<string, string>();
  const text = JSON.stringify(value)
    .replace(/\b(chatcmpl|cmpl)-made\d+\b/g, '$1-test')
    .replace(/\bcall_made\d+\b/g, (id) => {
      const known = calls.get(id) ?? `call_test_${calls.size}`;
      calls.set(id, known);
      return known;
    });
  const named: T = JSON.parse(text);
  return named;
};
