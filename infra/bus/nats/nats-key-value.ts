import type { KV, KvEntry } from 'nats';
import { BusUnavailableError, type KeyValue } from '../../ports/bus.ts';
import type { Clock } from '../../ports/clock.ts';
import { asCount } from '../memory/memory-key-value.ts';
import { delay } from '../retry.ts';
import { encodeKey, heldText, lazyBucket } from './nats-bucket.ts';
import { isConflict, type NatsLink, reaching } from './nats-link.ts';

/**
 * The value, and of a counter its expiry (ms): each increment is a new entry of the bucket, which
 * would keep a rising count for ever. Other values expire by the server's clock alone.
 */
type Slot = Readonly<{ v: unknown; e?: number }>;
type Change<R> = Readonly<{ write?: Slot; remove?: true; result: R }>;

/** So many writers may be faster than we before we give up. */
const maxTries = 200;

export const createNatsKeyValue = (
  link: NatsLink,
  options: Readonly<{ bucket: string; ttlSeconds: number; clock: Clock }>,
): KeyValue & Readonly<{ ensure: () => Promise<void> }> => {
  const { timers, random } = link.system;
  const ttlMs = options.ttlSeconds * 1_000;
  const { open, use } = lazyBucket(link, { name: `kv-${options.bucket}`, ttlMs });
  const now = (): number => options.clock().getTime();

  const liveSlot = (entry: KvEntry | null): Slot | null => {
    const text = heldText(entry);
    const slot: Slot | null = text === null ? null : JSON.parse(text);
    return slot !== null && (slot.e ?? Number.POSITIVE_INFINITY) > now() ? slot : null;
  };

  const apply = async <R>(
    key: string,
    { write, remove }: Change<R>,
    { kv, previousSeq }: Readonly<{ kv: KV; previousSeq: number }>,
  ): Promise<void> => {
    if (write !== undefined) await kv.put(key, JSON.stringify(write), { previousSeq });
    else if (remove && previousSeq > 0) await kv.delete(key, { previousSeq });
  };

  /** Reads, decides and writes if the revision is unchanged; else again. */
  const changeIn = async <R>(
    kv: KV,
    key: string,
    decide: (slot: Slot | null) => Change<R>,
  ): Promise<R> => {
    const encoded = encodeKey(key);
    for (let attempt = 1; attempt <= maxTries; attempt += 1) {
      const entry = await kv.get(encoded);
      const changed = decide(liveSlot(entry));
      try {
        await apply(encoded, changed, { kv, previousSeq: entry?.revision ?? 0 });
        return changed.result;
      } catch (error) {
        if (!isConflict(error)) throw error;
        await delay(timers, random.fraction() * Math.min(attempt, 20));
      }
    }
    throw new BusUnavailableError(`${options.bucket}.${key}`, `${maxTries} writes were too late`);
  };

  const change = <R>(key: string, decide: (slot: Slot | null) => Change<R>): Promise<R> =>
    use((kv) => changeIn(kv, key, decide));

  const known = <T>(work: () => Promise<T>): Promise<T> => reaching(link, options.bucket, work);

  return {
    ensure: () => known(async () => void (await open())),
    get: <T>(key: string) =>
      known(() =>
        use(async (kv) => {
          const slot = liveSlot(await kv.get(encodeKey(key)));
          return slot === null ? null : (slot.v as T);
        }),
      ),
    put: (key, value) =>
      known(() =>
        use(async (kv) => void (await kv.put(encodeKey(key), JSON.stringify({ v: value })))),
      ),
    create: (key, value) =>
      known(() =>
        change(key, (slot) =>
          slot === null ? { write: { v: value }, result: true } : { result: false },
        ),
      ),
    replace: (key, held, value) => {
      const text = JSON.stringify(held);
      return known(() =>
        change(key, (slot) =>
          slot !== null && JSON.stringify(slot.v) === text
            ? { write: { v: value }, result: true }
            : { result: false },
        ),
      );
    },
    remove: (key) =>
      known(() =>
        change(key, (slot) => (slot === null ? { result: false } : { remove: true, result: true })),
      ),
    increment: (key, by) =>
      known(() =>
        change(key, (slot) => {
          const count = slot === null ? by : asCount(slot.v, key) + by;
          return { write: { v: count, e: slot?.e ?? now() + ttlMs }, result: count };
        }),
      ),
  };
};
