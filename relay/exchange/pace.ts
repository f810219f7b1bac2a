/** Something that runs and is looked at once in a while. */
export interface Paced {
  /** Its place among those that run; the pace writes it. */
  paceSlot: number;
  beat(ms: number): void;
}

/** The place of what does not run. */
export const unpaced = -1;

export type Pace = Readonly<{
  add: (paced: Paced) => void;
  remove: (paced: Paced) => void;
  start: () => void;
  stop: () => void;
}>;

export const usualBeatMs = 1_000;

/**
 * One timer for all requests in flight: a timer for each would cost more than its scan. They stand
 * in an array and not in a `Set`: a set of few that come and go grows a new table all the time, each
 * table holds on to the next, and so the collector keeps every request for much longer than it runs.
 */
export const createPace = (beatMs: number): Pace => {
  const running: Paced[] = [];
  let timer: NodeJS.Timeout | null = null;
  let lastTick = 0;
  const beat = (): void => {
    const now = performance.now();
    const passedMs = now - lastTick;
    lastTick = now;
    for (const paced of [...running]) paced.beat(passedMs);
  };
  return {
    add: (paced) => {
      paced.paceSlot = running.length;
      running.push(paced);
    },
    remove: (paced) => {
      const slot = paced.paceSlot;
      if (slot === unpaced) return;
      paced.paceSlot = unpaced;
      const last = running.pop();
      if (last === undefined || last === paced) return;
      running[slot] = last;
      last.paceSlot = slot;
    },
    start: () => {
      lastTick = performance.now();
      timer ??= setInterval(beat, beatMs).unref();
    },
    stop: () => {
      if (timer !== null) clearInterval(timer);
      timer = null;
    },
  };
};
