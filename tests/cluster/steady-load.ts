import { setTimeout as sleep } from 'node:timers/promises';
import { type ChatOutcome, chat } from '../support/chat.ts';

/** Of the calls between two moments. */
export type LoadFigures = Readonly<{
  answered: number;
  /** Anything but a whole answer: what the product or the proxy returned instead. */
  refused: readonly string[];
  /** No answer at all: the connection broke, or nothing arrived in time. */
  failed: readonly string[];
}>;

export type SteadyLoad = Readonly<{
  /** Waits for the calls in flight; counts from the start or from when it was last taken. */
  take: () => Promise<LoadFigures>;
  /** Whole answers since the start. */
  answered: () => number;
  stop: () => Promise<void>;
}>;

const answerMs = 120_000;

/** So many calls a second, whether or not those before have been answered. */
export const startSteadyLoad = (url: string, key: string, callsPerSecond: number): SteadyLoad => {
  let isRunning = true;
  let answered = 0;
  let taken = 0;
  let refused: string[] = [];
  let failed: string[] = [];
  const inFlight = new Set<Promise<void>>();

  const note = ({ status, complete, text }: ChatOutcome): void => {
    if (complete) answered += 1;
    else refused.push(`${status} ${text.slice(0, 200)}`);
  };
  const noteFailure = (error: unknown): void => {
    const cause = error instanceof Error ? error.cause : undefined;
    failed.push(`${String(error)} ${String(cause ?? '')}`);
  };
  const call = (): void => {
    const late = new AbortController();
    const timeout = sleep(answerMs, undefined, { signal: late.signal }).then(() => {
      throw new Error(`no answer within ${answerMs} ms`);
    });
    const one: Promise<void> = Promise.race([chat(url, key, {}), timeout])
      .then(note, noteFailure)
      .finally(() => {
        late.abort();
        inFlight.delete(one);
      });
    timeout.catch(() => undefined);
    inFlight.add(one);
  };
  const running = (async () => {
    const begin = performance.now();
    for (let sent = 0; isRunning; ) {
      const due = Math.floor(((performance.now() - begin) / 1_000) * callsPerSecond);
      for (; sent < due; sent += 1) call();
      await sleep(5);
    }
  })();
  return {
    take: async () => {
      await Promise.all(inFlight);
      const figures = { answered: answered - taken, refused, failed };
      taken = answered;
      refused = [];
      failed = [];
      return figures;
    },
    answered: () => answered,
    stop: async () => {
      isRunning = false;
      await running;
      await Promise.all(inFlight);
    },
  };
};
