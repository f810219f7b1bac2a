import type { FeedEntry, FeedName } from '../../ports/bus.ts';

/*
 * The methods between a bus and its remote users. A standing order (watch, serve, subscribe,
 * consume) has an `id` that the user chose; what belongs to it names that id.
 */

type Standing = Readonly<{ id: number }>;
type Bucket = Readonly<{ bucket: string; ttlSeconds: number; key: string }>;

/**
 * Items of a queue as text, which on this line costs half of a structured clone. Texts of one line
 * each, as relays send them, need no quoting: they are joined by line breaks.
 */
export type Packed = Readonly<
  { form: 'lines'; texts: readonly string[] } | { form: 'json'; text: string }
>;

/** Longer texts are no longer young to the engine's collector: it would have to sweep for each. */
const longestText = 65_536;

const isLine = (item: unknown): item is string => typeof item === 'string' && !item.includes('\n');
const areLines = (items: readonly unknown[]): items is readonly string[] => items.every(isLine);

const joined = (lines: readonly string[]): readonly string[] => {
  const texts: string[] = [];
  let from = 0;
  let length = 0;
  for (const [at, line] of lines.entries()) {
    if (length > 0 && length + line.length > longestText) {
      texts.push(lines.slice(from, at).join('\n'));
      from = at;
      length = 0;
    }
    length += line.length;
  }
  texts.push(lines.slice(from).join('\n'));
  return texts;
};

export const packed = (items: readonly unknown[]): Packed =>
  items.length > 0 && areLines(items)
    ? { form: 'lines', texts: joined(items) }
    : { form: 'json', text: JSON.stringify(items) };

export const unpacked = (packed: Packed): readonly unknown[] =>
  packed.form === 'lines'
    ? packed.texts.flatMap((text) => text.split('\n'))
    : JSON.parse(packed.text);

/** Calls of the user, answered by the bus. */
export type BusCalls = {
  'feed.put': Readonly<{ feed: FeedName; entries: readonly FeedEntry<unknown>[] }>;
  'feed.get': Readonly<{ feed: FeedName; key: string }>;
  'queue.publish': Packed & Readonly<{ queue: 'usage'; partition: number }>;
  'kv.get': Bucket;
  'kv.put': Bucket & Readonly<{ value: unknown }>;
  'kv.create': Bucket & Readonly<{ value: unknown }>;
  'kv.remove': Bucket;
  'kv.increment': Bucket & Readonly<{ by: number }>;
  request: Readonly<{ subject: string; body: unknown; timeoutMs: number }>;
  /** Answered when all that is held has been sent. */
  watch: Standing & Readonly<{ feed: FeedName }>;
  serve: Standing & Readonly<{ subject: string }>;
  subscribe: Standing & Readonly<{ subject: string }>;
  consume: Standing & Readonly<{ queue: 'usage'; partitions: readonly number[] }>;
  stop: Standing;
};

/** Notes of the user to the bus. */
export type BusNotes = { publish: Readonly<{ subject: string; body: unknown }> };

/** Calls of the bus, answered by the user who serves or consumes. */
export type UserCalls = {
  answer: Standing & Readonly<{ body: unknown }>;
  handle: Standing & Packed & Readonly<{ partition: number }>;
};

/** Notes of the bus to the user. */
export type UserNotes = {
  entries: Standing & Readonly<{ entries: readonly FeedEntry<unknown>[] }>;
  heard: Standing & Readonly<{ body: unknown }>;
};

export type Handlers<Methods, Result> = Readonly<{
  [Method in keyof Methods]: (body: Methods[Method]) => Result;
}>;

/** Finds the handler of a method. Both ends run the same version, so bodies fit their methods. */
export const dispatch = <Methods, Result>(
  handlers: Handlers<Methods, Result>,
  method: string,
  body: unknown,
): Result => {
  if (!Object.hasOwn(handlers, method)) throw new Error(`unknown bus method ${method}`);
  return handlers[method as keyof Methods](body as Methods[keyof Methods]);
};
