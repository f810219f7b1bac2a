import type { Timers } from '../../../infra/ports/timers.ts';

const over = { unref: () => over };

/** For work that stands outside the history and waits for nothing. */
export const instantTimers: Timers = {
  now: () => 0,
  setTimeout: (task) => {
    queueMicrotask(task);
    return over;
  },
  setInterval: () => over,
  setImmediate: (task) => queueMicrotask(task),
  clear: () => undefined,
};
