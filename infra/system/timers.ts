import type { Timers } from '../ports/timers.ts';

export const nodeTimers: Timers = {
  now: () => performance.now(),
  setTimeout: (task, ms) => setTimeout(task, ms),
  setInterval: (task, ms) => setInterval(task, ms),
  setImmediate: (task) => void setImmediate(task),
  // Node takes timeouts and intervals alike.
  clear: (timer) => clearTimeout((timer ?? undefined) as NodeJS.Timeout | undefined),
};
