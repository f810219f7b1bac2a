import { setTimeout as sleep } from 'node:timers/promises';
import type { Bus, Stop } from '../../infra/ports/bus.ts';
import { RefusedError } from '../http/refusals.ts';

/** Process managers announce their checkpoints too, and change no rows. */
type Announcement = Readonly<{ changed?: readonly string[] }>;
type Listener = { readonly userId: number; readonly moved: Set<string>; wake: () => void };

export type LiveSettings = Readonly<{
  bus: Bus;
  /** Between two words to one listener; 1 s by default. */
  minGapMs?: number;
  /** A comment keeps the line open for proxies; 15 s by default. */
  heartbeatMs?: number;
  /** Each holds a connection through the proxy in front; 100 by default. */
  maxListeners?: number;
  /** Of those, so that one user cannot take all; 4 by default. */
  maxListenersOfUser?: number;
}>;

export interface Live {
  start(): Promise<void>;
  stop(): Promise<void>;
  /**
   * Server-sent events `moved` with the names of the read models that went on since the last one.
   * @throws RefusedError when too many listen; a refused console polls instead.
   */
  events(userId: number): AsyncIterable<string>;
}

/** Announces that a read model has changed, never its content, which consoles read by their own calls. */
export const createLive = (settings: LiveSettings): Live => {
  const { bus, minGapMs = 1_000, heartbeatMs = 15_000 } = settings;
  const { maxListeners = 100, maxListenersOfUser = 4 } = settings;
  const listeners = new Set<Listener>();
  let unsubscribe: Stop = async () => undefined;
  let isStopped = false;

  const onCheckpoints = ({ changed = [] }: Announcement): void => {
    if (changed.length === 0) return;
    for (const listener of listeners) {
      for (const name of changed) listener.moved.add(name);
      listener.wake();
    }
  };

  async function* wordsFor(listener: Listener): AsyncGenerator<string> {
    // Here and not before: who never begins to listen never leaves either.
    listeners.add(listener);
    try {
      yield `retry: 3000\n\n`;
      while (!isStopped) {
        if (listener.moved.size === 0) {
          const woken = new Promise<void>((resolve) => {
            listener.wake = resolve;
          });
          await Promise.race([woken, sleep(heartbeatMs, undefined, { ref: false })]);
        }
        if (isStopped) return;
        const names = [...listener.moved];
        listener.moved.clear();
        yield names.length === 0
          ? ': still here\n\n'
          : `event: moved\ndata: ${JSON.stringify({ read_models: names })}\n\n`;
        await sleep(minGapMs, undefined, { ref: false });
      }
    } finally {
      listeners.delete(listener);
    }
  }

  return {
    start: async () => {
      unsubscribe = await bus.subscribe<Announcement>('projection.checkpoint', onCheckpoints);
    },
    stop: async () => {
      isStopped = true;
      for (const { wake } of listeners) wake();
      await unsubscribe();
    },
    events: (userId) => {
      const own = [...listeners].filter((listener) => listener.userId === userId);
      if (listeners.size >= maxListeners || own.length >= maxListenersOfUser) {
        throw new RefusedError('live.too-many');
      }
      return wordsFor({ userId, moved: new Set(), wake: () => undefined });
    },
  };
};
