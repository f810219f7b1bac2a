import { hash } from 'node:crypto';
import type { KV, KvEntry } from 'nats';
import type { Feed, FeedEntry, FeedName } from '../../ports/bus.ts';
import { answeredInTime } from '../memory/memory-messages.ts';
import { decodeKey, encodeKey, heldText, type LazyBucket, lazyBucket } from './nats-bucket.ts';
import { isConflict, type NatsLink, reaching } from './nats-link.ts';
import { watchBucket } from './nats-watch.ts';

/** JSON of a bucket's entry. The position is text, for it may exceed what a double holds. */
type Stored<T> = Readonly<{ position: string; value: T | null }>;

/** What the publisher remembers of an entry, to leave out what is old or already there. */
type Known = Readonly<{ position: bigint; revision: number; digest: string }>;

/** So many entries are on their way to the server at one moment. */
const entriesInFlight = 256;
/** Milliseconds to wait for the state of a bucket before the first write. */
const loadTimeoutMs = 30_000;

const digestOf = (text: string): string => hash('sha1', text, 'base64');

const toStored = (entry: FeedEntry<unknown>): string => {
  const stored: Stored<unknown> = { position: String(entry.position), value: entry.value };
  return JSON.stringify(stored);
};

const toEntry = <T>(entry: KvEntry): FeedEntry<T> | null => {
  const text = heldText(entry);
  if (text === null) return null;
  const { position, value }: Stored<T> = JSON.parse(text);
  return { key: decodeKey(entry.key), position: BigInt(position), value };
};

const toKnown = (entry: KvEntry): Known | null => {
  const text = heldText(entry);
  if (text === null) return null;
  const { position }: Stored<unknown> = JSON.parse(text);
  return { position: BigInt(position), revision: entry.revision, digest: digestOf(text) };
};

/** Of one batch only the newest entry of each key travels. */
const newestOfEach = <T>(entries: readonly FeedEntry<T>[]): readonly FeedEntry<T>[] => {
  const newest = new Map<string, FeedEntry<T>>();
  for (const entry of entries) {
    const other = newest.get(entry.key);
    if (other === undefined || other.position <= entry.position) newest.set(entry.key, entry);
  }
  return [...newest.values()];
};

type Loaded = Readonly<{ done: Promise<void>; resolve: () => void }>;

const notLoaded = (): Loaded => {
  let resolve: () => void = () => undefined;
  const done = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { done, resolve };
};

/**
 * The state of the bucket as a publisher has read it, by a watch from the first call of `loaded`.
 * The server may restart with another state: then it is read from the start.
 */
const createKnown = (link: NatsLink, bucket: LazyBucket, onReloaded: () => void) => {
  const known = new Map<string, Known>();
  let isWatched = false;
  let isReload = false;
  let loading = notLoaded();

  const learn = (key: string, news: Known | null): void => {
    if (news === null) known.delete(key);
    else if ((known.get(key)?.revision ?? 0) < news.revision) known.set(key, news);
  };

  const begin = (): void => {
    known.clear();
    loading.resolve();
    loading = notLoaded();
  };
  link.onReconnect(begin);

  const listener = {
    onEntries: (entries: readonly KvEntry[]) => {
      for (const entry of entries) learn(entry.key, toKnown(entry));
    },
    onBegin: begin,
    onReady: () => {
      loading.resolve();
      if (isReload) onReloaded();
      isReload = true;
    },
  };

  return {
    learn,
    get: (key: string): Known | undefined => known.get(key),
    forget: (key: string): void => void known.delete(key),
    loaded: async (): Promise<void> => {
      if (!isWatched) watchBucket(link, bucket, listener);
      isWatched = true;
      await loading.done;
    },
  };
};

/** Writes entries unless the bucket holds newer ones; caches the bucket's state to spare a read. */
const createPublisher = (link: NatsLink, bucket: LazyBucket, onReloaded: () => void) => {
  const { timers } = link.system;
  const known = createKnown(link, bucket, onReloaded);

  /** There is something newer already, or the same. */
  const isCovered = (held: Known, news: Pick<Known, 'position' | 'digest'>): boolean =>
    held.position > news.position || held.digest === news.digest;

  /** False when another writer was first; its value is cached afterwards. */
  const tryWrite = async (kv: KV, entry: FeedEntry<unknown>): Promise<boolean> => {
    const key = encodeKey(entry.key);
    const text = toStored(entry);
    const digest = digestOf(text);
    const held = known.get(key);
    if (held && isCovered(held, { position: entry.position, digest })) return true;
    try {
      const revision = await kv.put(key, text, { previousSeq: held?.revision ?? 0 });
      known.learn(key, { position: entry.position, revision, digest });
      return true;
    } catch (error) {
      if (!isConflict(error)) throw error;
    }
    const current = await kv.get(key);
    known.forget(key);
    known.learn(key, current === null ? null : toKnown(current));
    return false;
  };

  return async (entries: readonly FeedEntry<unknown>[]): Promise<void> => {
    await answeredInTime(known.loaded(), { subject: 'feed', timeoutMs: loadTimeoutMs, timers });
    const newest = newestOfEach(entries);
    await bucket.use(async (kv) => {
      const rest = newest.values();
      const writeRest = async (): Promise<void> => {
        for (const entry of rest) while (!(await tryWrite(kv, entry)));
      };
      await Promise.all(Array.from({ length: entriesInFlight }, writeRest));
    });
  };
};

/**
 * A JetStream key-value bucket: one entry for each key, no history, no end. `onLoss`: what was put
 * may be gone.
 */
export const createNatsFeed = (
  link: NatsLink,
  name: FeedName,
  onLoss: () => void,
): Feed<unknown> & Readonly<{ ensure: () => Promise<void> }> => {
  const bucket = lazyBucket(link, { name: `feed-${name}`, ttlMs: null });
  const put = createPublisher(link, bucket, onLoss);
  return {
    ensure: () => reaching(link, `feed.${name}`, async () => void (await bucket.open())),
    put: (entries) => reaching(link, `feed.${name}`, () => put(entries)),
    get: (key) =>
      reaching(link, `feed.${name}`, () =>
        bucket.use(async (kv) => {
          const entry = await kv.get(encodeKey(key));
          return entry === null ? null : toEntry(entry);
        }),
      ),
    watch: async (onEntries) =>
      watchBucket(link, bucket, {
        onEntries: (entries) => {
          onEntries(entries.map((entry) => toEntry(entry)).filter((entry) => entry !== null));
        },
      }),
  };
};
