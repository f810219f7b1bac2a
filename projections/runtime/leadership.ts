import type { Timers } from '../../infra/ports/timers.ts';
import { pause } from './db-errors.ts';
import type { RowStore } from './row-store.ts';

const heartbeatMs = 2_000;

type Deps = Readonly<{ rows: RowStore; timers: Timers }>;
type Watch = Readonly<{ timers: Timers; ping: () => Promise<void>; lost: AbortController }>;

/** The session that has the lock has to stay alive; without it another process takes over. */
const watch = async ({ timers, ping, lost }: Watch): Promise<void> => {
  while (!lost.signal.aborted) {
    await pause(timers, heartbeatMs, lost.signal);
    await ping().catch(() => lost.abort());
  }
};

/**
 * Runs `task` while this process has the lock; its signal aborts when the lock is lost.
 * Returns false when another process has it.
 */
export const asLeader = (
  { rows, timers }: Deps,
  signal: AbortSignal,
  task: (signal: AbortSignal) => Promise<void>,
): Promise<boolean> =>
  rows.withLock(async (ping) => {
    const lost = new AbortController();
    const abort = () => lost.abort();
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    const watching = watch({ timers, ping, lost });
    try {
      await task(lost.signal);
    } finally {
      signal.removeEventListener('abort', abort);
      abort();
      await watching;
    }
  });
