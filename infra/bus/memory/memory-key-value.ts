import type { KeyValue } from '../../ports/bus.ts';
import type { Clock } from '../../ports/clock.ts';

/** JSON text, so that callers share no object with the bucket, and its expiry (ms). */
type Slot = Readonly<{ json: string; expiresAt: number }>;

/** Beyond this many entries the oldest is removed first; any entry may expire at any time. */
const defaultMaxEntries = 200_000;
/** The same of what the entries hold, in characters. */
const defaultMaxChars = 134_217_728;

export const asCount = (value: unknown, key: string): number => {
  if (typeof value === 'number') return value;
  throw new TypeError(`the value of ${key} is no count`);
};

/**
 * One bucket. The map is in order of expiry, because every write but `increment` moves its key to
 * the end; so a sweep reads the first entries alone.
 */
export const createMemoryKeyValue = (
  options: Readonly<{
    ttlSeconds: number;
    clock: Clock;
    maxEntries?: number;
    maxChars?: number;
  }>,
): KeyValue => {
  const { ttlSeconds, clock } = options;
  const { maxEntries = defaultMaxEntries, maxChars = defaultMaxChars } = options;
  const slots = new Map<string, Slot>();
  let chars = 0;
  const now = (): number => clock().getTime();

  const drop = (key: string): void => {
    chars -= slots.get(key)?.json.length ?? 0;
    slots.delete(key);
  };
  const set = (key: string, slot: Slot): void => {
    chars += slot.json.length - (slots.get(key)?.json.length ?? 0);
    slots.set(key, slot);
  };

  const sweep = (): void => {
    for (const [key, slot] of slots) {
      const isWithin = slots.size <= maxEntries && chars <= maxChars;
      if (slot.expiresAt > now() && isWithin) return;
      drop(key);
    }
  };

  const live = (key: string): Slot | null => {
    const slot = slots.get(key);
    return slot !== undefined && slot.expiresAt > now() ? slot : null;
  };

  const write = (key: string, value: unknown): void => {
    const json = JSON.stringify(value);
    drop(key);
    set(key, { json, expiresAt: now() + ttlSeconds * 1_000 });
    sweep();
  };

  return {
    get: async (key) => {
      const slot = live(key);
      return slot === null ? null : JSON.parse(slot.json);
    },
    put: async (key, value) => write(key, value),
    create: async (key, value) => {
      if (live(key) !== null) return false;
      write(key, value);
      return true;
    },
    replace: async (key, held, value) => {
      if (live(key)?.json !== JSON.stringify(held)) return false;
      write(key, value);
      return true;
    },
    remove: async (key) => {
      const there = live(key) !== null;
      drop(key);
      return there;
    },
    increment: async (key, by) => {
      const slot = live(key);
      if (slot === null) {
        write(key, by);
        return by;
      }
      const count = asCount(JSON.parse(slot.json), key) + by;
      set(key, { json: String(count), expiresAt: slot.expiresAt });
      return count;
    },
  };
};
