import type { FeedName } from '../../ports/bus.ts';
import { untilDone } from '../retry.ts';
import type { NatsLink } from './nats-link.ts';

type Listener = (name: FeedName) => Promise<void>;

export type FeedLosses = Readonly<{
  add: (listener: Listener) => () => void;
  announce: (name: FeedName) => void;
}>;

/** Has feeds put again whose entries may be gone, until it works or they are lost once more. */
export const createFeedLosses = (link: NatsLink): FeedLosses => {
  const listeners = new Set<Listener>();
  const running = new Map<FeedName, AbortController>();

  const repair = async (name: FeedName, signal: AbortSignal): Promise<void> => {
    for (const listener of [...listeners]) {
      await untilDone(() => listener(name), {
        signal,
        timers: link.system.timers,
        onFailure: (err, attempt) =>
          link.logger.warn({ err, feed: name, attempt }, 'a feed could not be put again yet'),
      });
    }
  };

  return {
    add: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    announce: (name) => {
      running.get(name)?.abort();
      const current = new AbortController();
      running.set(name, current);
      void link.connection.closed().then(() => current.abort());
      void repair(name, current.signal);
    },
  };
};
