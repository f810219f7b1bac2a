/** A timer that was set. */
export interface Timer {
  /** The process may end before it fires. */
  unref(): Timer;
}

/** The process's own time: monotonic, unlike the wall clock of `Clock`. */
export interface Timers {
  /** Milliseconds since an arbitrary start. */
  now(): number;
  setTimeout(task: () => void, ms: number): Timer;
  setInterval(task: () => void, ms: number): Timer;
  /** Runs the task after this turn of the event loop. */
  setImmediate(task: () => void): void;
  /** Of a timeout or an interval; harmless when it is over. */
  clear(timer: Timer | null): void;
}
