import type { FeedEntry, FeedName } from '../../ports/bus.ts';

/*
 * The methods between a bus and its remote users. A standing order (watch, serve, subscribe,
 * consume) has an `id` that the user chose; what belongs to it names that id.
 */

type Standing = Readonly<{ id: number }>;
type Bucket = Readonly<{ bucket: string; ttlSeconds: number; key: string }>;

/** Items of a queue: texts as they are, others as one text, which costs half of a structured clone. */
export type Packed = Readonly<
  { form: 'texts'; texts: readonly string[] } | { form: 'json'; text: string }
>;

const areTexts = (items: readonly unknown[]): items is readonly string[] =>
  items.every((item) => typeof item === 'string');

export const packed = (items: readonly unknown[]): Packed =>
  areTexts(items) ? { form: 'texts', texts: items } : { form: 'json', text: JSON.stringify(items) };

export const unpacked = (packed: Packed): readonly unknown[] =>
  packed.form === 'texts' ? packed.texts : JSON.parse(packed.text);

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
