import type { Feed, FeedEntry } from '../../ports/bus.ts';
import type { Logger } from '../../ports/logger.ts';

type Watcher<T> = (entries: readonly FeedEntry<T>[]) => void;

/** State of one feed in a map. Entries of things that are gone stay, so that older news stay old. */
export const createMemoryFeed = <T>(logger: Logger): Feed<T> => {
  const held = new Map<string, FeedEntry<T>>();
  const watchers = new Set<Watcher<T>>();

  const deliver = (watcher: Watcher<T>, entries: readonly FeedEntry<T>[]): void => {
    if (entries.length === 0) return;
    try {
      watcher(entries);
    } catch (err) {
      logger.error({ err }, 'a feed watcher failed');
    }
  };

  return {
    put: async (entries) => {
      const news: FeedEntry<T>[] = [];
      for (const entry of entries) {
        const known = held.get(entry.key);
        if (known !== undefined && known.position > entry.position) continue;
        held.set(entry.key, entry);
        news.push(entry);
      }
      for (const watcher of [...watchers]) deliver(watcher, news);
    },
    get: async (key) => held.get(key) ?? null,
    watch: async (onEntries) => {
      const watcher: Watcher<T> = (entries) => onEntries(entries);
      watchers.add(watcher);
      deliver(watcher, [...held.values()]);
      return {
        ready: Promise.resolve(),
        stop: async () => {
          watchers.delete(watcher);
        },
      };
    },
  };
};
