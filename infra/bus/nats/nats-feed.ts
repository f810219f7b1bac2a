import { createHash } from 'node:crypto';
import type { KV, KvEntry } from 'nats';
import type { Feed, FeedEntry, FeedName } from '../../ports/bus.ts';
import { answeredInTime } from '../memory/memory-messages.ts';
import { decodeKey, encodeKey, heldText, lazyBucket } from './nats-bucket.ts';
import { isConflict, type NatsLink, reaching } from './nats-link.ts';
import { type Watch, watchBucket } from './nats-watch.ts';

/** JSON of a bucket's entry. The position is text, for it may exceed what a double holds. */
type Stored<T> = Readonly<{ position: string; value: T | null }>;

/** What the publisher remembers of an entry, to leave out what is old or already there. */
type Known = Readonly<{ position: bigint; revision: number; digest: string }>;

/** So many entries are on their way to the server at one moment. */
const entriesInFlight = 256;
/** Milliseconds to wait for the state of a bucket before the first write. */
const loadTimeoutMs = 30_000;

const digestOf = (text: string): string => createHash('sha1').update(text).digest('base64');

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

/** Writes entries unless the bucket holds newer ones; remembers the bucket's state to spare a read. */
const createPublisher = (link: NatsLink, open: () => Promise<KV>) => {
  const { timers } = link.system;
  const known = new Map<string, Known>();
  let loading: Watch | null = null;

  // The server may come back with another state than it went with.
  link.onReconnect(() => {
    void loading?.stop();
    loading = null;
    known.clear();
  });

  const learn = (key: string, news: Known | null): void => {
    if (news === null) known.delete(key);
    else if ((known.get(key)?.revision ?? 0) < news.revision) known.set(key, news);
  };

  const load = (): Promise<void> => {
    loading ??= watchBucket(link, open, (entries) => {
      for (const entry of entries) learn(entry.key, toKnown(entry));
    });
    return loading.ready;
  };

  /** There is something newer already, or the same. */
  const isCovered = (held: Known, news: Pick<Known, 'position' | 'digest'>): boolean =>
    held.position > news.position || held.digest === news.digest;

  /** False when another writer came first; what it wrote is known afterwards. */
  const tryWrite = async (kv: KV, entry: FeedEntry<unknown>): Promise<boolean> => {
    const key = encodeKey(entry.key);
    const text = toStored(entry);
    const digest = digestOf(text);
    const held = known.get(key);
    if (held && isCovered(held, { position: entry.position, digest })) return true;
    try {
      const revision = await kv.put(key, text, { previousSeq: held?.revision ?? 0 });
      learn(key, { position: entry.position, revision, digest });
      return true;
    } catch (error) {
      if (!isConflict(error)) throw error;
    }
    const current = await kv.get(key);
    known.delete(key);
    learn(key, current === null ? null : toKnown(current));
    return false;
  };

  return async (entries: readonly FeedEntry<unknown>[]): Promise<void> => {
    await answeredInTime(load(), { subject: 'feed', timeoutMs: loadTimeoutMs, timers });
    const kv = await open();
    const rest = newestOfEach(entries).values();
    const writeRest = async (): Promise<void> => {
      for (const entry of rest) while (!(await tryWrite(kv, entry)));
    };
    await Promise.all(Array.from({ length: entriesInFlight }, writeRest));
  };
};

/** A JetStream key-value bucket: one entry for each key, no history, no end. */
export const createNatsFeed = (
  link: NatsLink,
  name: FeedName,
): Feed<unknown> & Readonly<{ ensure: () => Promise<void> }> => {
  const open = lazyBucket(link, { name: `feed-${name}`, ttlMs: null });
  const put = createPublisher(link, open);
  return {
    ensure: () => reaching(link, `feed.${name}`, async () => void (await open())),
    put: (entries) => reaching(link, `feed.${name}`, () => put(entries)),
    get: (key) =>
      reaching(link, `feed.${name}`, async () => {
        const kv = await open();
        const entry = await kv.get(encodeKey(key));
        return entry === null ? null : toEntry(entry);
      }),
    watch: async (onEntries) =>
      watchBucket(link, open, (entries) => {
        onEntries(entries.map((entry) => toEntry(entry)).filter((entry) => entry !== null));
      }),
  };
};
