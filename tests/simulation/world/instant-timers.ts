import type { Timers } from '../../../infra/ports/timers.ts';

const over = { unref: () => over };

let passed = 0;

/** For work outside of the history that waits for nothing. */
export const instantTimers: Timers = {
  now: () => {
    passed += 1;
    return passed;
  },
  setTimeout: (task) => {
    queueMicrotask(task);
    return over;
  },
  setInterval: () => over,
  setImmediate: (task) => queueMicrotask(task),
  clear: () => undefined,
};
