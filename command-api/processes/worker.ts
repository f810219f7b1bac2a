import type { Recorded } from '../../domain/shared/event.ts';
import type { Logger } from '../../infra/ports/logger.ts';
import type { Timers } from '../../infra/ports/timers.ts';
import type { Process, Reaction } from './process.ts';

type Settings = Readonly<{
  process: Process;
  /** Events up to here were dealt with in an earlier life. */
  start: bigint | null;
  logger: Logger;
  timers: Timers;
  /** Something changed that others wait for. */
  onProgress: () => void;
  /** Milliseconds before the n-th repeat of a failed reaction. */
  retryDelayMs: (attempt: number) => number;
}>;

export interface Worker {
  readonly name: string;
  /** Everything up to here is dealt with; null before the first event. */
  position(): bigint | null;
  /** A restart continues from here; behind `position` while asynchronous work continues. */
  checkpoint(): bigint | null;
  /** Newest event that its reactions led to. */
  caused(): bigint;
  failed(): boolean;
  offer(recorded: Recorded): void;
  stop(): void;
}

type Task = Readonly<{ recorded: Recorded; react: Reaction }>;

/** Events that may wait. A process that hangs for longer stops, and starts over from its checkpoint. */
const maxQueue = 10_000;
/** Repeats after which others no longer wait for this process. */
const patience = 3;

/** Runs the reactions of one process in the order of the log; a failed one is repeated for ever. */
export const createWorker = (settings: Settings): Worker => {
  const { process, start, logger, timers, onProgress, retryDelayMs } = settings;
  const { name, on, aside } = process;
  const queue: Task[] = [];
  let busy = false;
  let stopped = false;
  let overrun = false;
  let attempt = 0;
  let seen = start;
  let done = start;
  let caused = 0n;
  let checkpoint = start;
  let wake: (() => void) | null = null;

  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = timers.setTimeout(resolve, ms);
      wake = () => {
        timers.clear(timer);
        resolve();
      };
    });

  const tryOnce = async ({ recorded, react }: Task): Promise<boolean> => {
    try {
      const position = await react(recorded);
      if (position !== null && position > caused) caused = position;
      attempt = 0;
      return true;
    } catch (error) {
      attempt += 1;
      const { eventId, event } = recorded;
      logger.error({ process: name, eventId, type: event.type, attempt, error }, 'process failed');
      if (attempt === patience) onProgress();
      return false;
    }
  };

  const drain = async (): Promise<void> => {
    busy = true;
    for (let task = queue[0]; task && !stopped; task = queue[0]) {
      if (await tryOnce(task)) {
        queue.shift();
        done = task.recorded.position;
        onProgress();
      } else if (!stopped) {
        await pause(retryDelayMs(attempt));
      }
    }
    busy = false;
  };

  const enqueue = (task: Task): void => {
    if (queue.length >= maxQueue) {
      overrun = true;
      logger.error({ process: name }, 'process is too far behind and stops');
      return;
    }
    queue.push(task);
    if (!busy) void drain();
  };

  const position = (): bigint | null => (queue.length === 0 && !overrun ? seen : done);

  return {
    name,
    position,
    checkpoint: () => {
      if (aside?.isBusy() !== true) checkpoint = position();
      return checkpoint;
    },
    caused: () => caused,
    failed: () => attempt >= patience || overrun,
    offer(recorded) {
      if (stopped || overrun) return;
      if (seen !== null && recorded.position <= seen) return;
      seen = recorded.position;
      const react = Object.hasOwn(on, recorded.event.type) ? on[recorded.event.type] : undefined;
      if (!react || aside?.concerns(recorded) === false) return;
      enqueue({ recorded, react });
    },
    stop() {
      stopped = true;
      wake?.();
    },
  };
};
