/** Something that runs and is looked at once in a while. */
export interface Paced {
  beat(ms: number): void;
}

export type Pace = Readonly<{
  add: (paced: Paced) => void;
  remove: (paced: Paced) => void;
  start: () => void;
  stop: () => void;
}>;

export const usualBeatMs = 1_000;

/** One timer for all requests in flight: a timer for each would cost more than its scan. */
export const createPace = (beatMs: number): Pace => {
  const running = new Set<Paced>();
  let timer: NodeJS.Timeout | null = null;
  let lastTick = 0;
  const beat = (): void => {
    const now = performance.now();
    const passedMs = now - lastTick;
    lastTick = now;
    for (const paced of running) paced.beat(passedMs);
  };
  return {
    add: (paced) => {
      running.add(paced);
    },
    remove: (paced) => {
      running.delete(paced);
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
