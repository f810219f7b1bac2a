/** A running request or session that the ticker calls. */
export interface Tickable {
  /** Index in the ticker's list; written by the ticker. */
  tickerSlot: number;
  onTick(ms: number): void;
}

/** Index of what is not in the list. */
export const notTicking = -1;

export type Ticker = Readonly<{
  add: (tickable: Tickable) => void;
  remove: (tickable: Tickable) => void;
  start: () => void;
  stop: () => void;
}>;

export const defaultTickMs = 1_000;

/**
 * One timer for all requests in flight: a timer for each would cost more than its scan. They are
 * kept in an array and not in a `Set`: a set of few that change often allocates a new table each
 * time, each table references the next, and so the collector keeps every request for much longer
 * than it runs.
 */
export const createTicker = (tickMs: number): Ticker => {
  const running: Tickable[] = [];
  let timer: NodeJS.Timeout | null = null;
  let lastTick = 0;
  const tick = (): void => {
    const now = performance.now();
    const passedMs = now - lastTick;
    lastTick = now;
    for (const tickable of [...running]) tickable.onTick(passedMs);
  };
  return {
    add: (tickable) => {
      tickable.tickerSlot = running.length;
      running.push(tickable);
    },
    remove: (tickable) => {
      const slot = tickable.tickerSlot;
      if (slot === notTicking) return;
      tickable.tickerSlot = notTicking;
      const last = running.pop();
      if (last === undefined || last === tickable) return;
      running[slot] = last;
      last.tickerSlot = slot;
    },
    start: () => {
      lastTick = performance.now();
      timer ??= setInterval(tick, tickMs).unref();
    },
    stop: () => {
      if (timer !== null) clearInterval(timer);
      timer = null;
    },
  };
};
