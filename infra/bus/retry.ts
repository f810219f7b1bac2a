import type { Timers } from '../ports/timers.ts';

const firstDelayMs = 50;
const maxDelayMs = 5_000;

/** Milliseconds to wait before try number `attempt` (from 1) is repeated: 50, 100, 200 … 5,000. */
export const retryDelayMs = (attempt: number): number =>
  Math.min(firstDelayMs * 2 ** Math.min(attempt - 1, 20), maxDelayMs);

/** Waits, and keeps the process open meanwhile. */
export const delay = (timers: Timers, ms: number): Promise<void> =>
  new Promise((resolve) => void timers.setTimeout(resolve, ms));

/** Waits, or returns at once when `signal` aborts. Holds no process open. */
export const pause = (timers: Timers, ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const done = (): void => {
      timers.clear(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = timers.setTimeout(done, ms).unref();
    signal.addEventListener('abort', done);
  });

/** Tries until it works. False when `signal` aborted first. */
export const untilDone = async (
  work: () => Promise<void>,
  options: Readonly<{
    signal: AbortSignal;
    timers: Timers;
    onFailure: (error: unknown, attempt: number) => void;
  }>,
): Promise<boolean> => {
  for (let attempt = 1; !options.signal.aborted; attempt += 1) {
    try {
      await work();
      return true;
    } catch (error) {
      options.onFailure(error, attempt);
      await pause(options.timers, retryDelayMs(attempt), options.signal);
    }
  }
  return false;
};
