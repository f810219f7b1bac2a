import type { FeedEntry, FeedName } from '../../ports/bus.ts';

/*
 * The methods between a bus and its remote clients. A subscription (watch, serve, subscribe,
 * consume) has an `id` that the client chose; what belongs to it names that id.
 */

type OfSubscription = Readonly<{ id: number }>;
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

/** Calls of the client, answered by the bus. */
export type BusCalls = {
  'feed.put': Readonly<{ feed: FeedName; entries: readonly FeedEntry<unknown>[] }>;
  'feed.get': Readonly<{ feed: FeedName; key: string }>;
  'queue.publish': Packed & Readonly<{ queue: 'usage'; partition: number }>;
  'kv.get': Bucket;
  'kv.put': Bucket & Readonly<{ value: unknown }>;
  'kv.create': Bucket & Readonly<{ value: unknown }>;
  'kv.replace': Bucket & Readonly<{ held: unknown; value: unknown }>;
  'kv.remove': Bucket;
  'kv.increment': Bucket & Readonly<{ by: number }>;
  request: Readonly<{ subject: string; body: unknown; timeoutMs: number }>;
  /** Answered when all that is held has been sent. */
  watch: OfSubscription & Readonly<{ feed: FeedName }>;
  serve: OfSubscription & Readonly<{ subject: string }>;
  subscribe: OfSubscription & Readonly<{ subject: string }>;
  consume: OfSubscription & Readonly<{ queue: 'usage'; partitions: readonly number[] }>;
  stop: OfSubscription;
};

/** Notes of the client to the bus. */
export type BusNotes = { publish: Readonly<{ subject: string; body: unknown }> };

/** Calls of the bus, answered by the client that serves or consumes. */
export type ClientCalls = {
  answer: OfSubscription & Readonly<{ body: unknown }>;
  handle: OfSubscription & Packed & Readonly<{ partition: number }>;
};

/** Notes of the bus to the client. */
export type ClientNotes = {
  entries: OfSubscription & Readonly<{ entries: readonly FeedEntry<unknown>[] }>;
  message: OfSubscription & Readonly<{ body: unknown }>;
  /** Another consumer has the partition now. */
  lost: OfSubscription & Readonly<{ partition: number }>;
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
