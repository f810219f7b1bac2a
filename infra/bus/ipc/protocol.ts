import type { FeedEntry, FeedName } from '../../ports/bus.ts';

/*
 * The methods between a bus and its remote users. A standing order (watch, serve, subscribe,
 * consume) has an `id` that the user chose; what belongs to it names that id.
 */

type Standing = Readonly<{ id: number }>;
type Bucket = Readonly<{ bucket: string; ttlSeconds: number; key: string }>;

/**
 * Items of a queue as one text, which on this line costs half of a structured clone. Texts of one
 * line each, as relays send them, need no quoting: they are joined by line breaks.
 */
export type Packed = Readonly<{ form: 'lines' | 'json'; text: string }>;

const isLine = (item: unknown): item is string => typeof item === 'string' && !item.includes('\n');

export const packed = (items: readonly unknown[]): Packed =>
  items.length > 0 && items.every(isLine)
    ? { form: 'lines', text: items.join('\n') }
    : { form: 'json', text: JSON.stringify(items) };

export const unpacked = ({ form, text }: Packed): readonly unknown[] =>
  form === 'lines' ? text.split('\n') : JSON.parse(text);

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
