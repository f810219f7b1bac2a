import type { Recorded } from '../../domain/shared/event.ts';
import {
  holdsPlace,
  type LogPlace,
  LogReplacedError,
  logPlaceOf,
} from '../../domain/shared/log-place.ts';
import type { Bus } from '../../infra/ports/bus.ts';
import type { EventStore } from '../../infra/ports/event-store.ts';
import type { Logger } from '../../infra/ports/logger.ts';
import type { Timer, Timers } from '../../infra/ports/timers.ts';
import { type CheckpointNotice, checkpointSubject } from '../shared/visibility.ts';
import type { Checkpoints } from './checkpoints.ts';
import type { Process } from './process.ts';
import { createWorker, type Worker } from './worker.ts';

type Settings = Readonly<{
  eventStore: EventStore;
  bus: Bus;
  timers: Timers;
  logger: Logger;
  checkpoints: Checkpoints;
  processes: readonly Process[];
  /** Receives every event, in the order of the log. */
  observe: (recorded: Recorded) => void;
  retryDelayMs?: (attempt: number) => number;
  /** The log is not the one that this process has followed: what it keeps in memory is void. */
  onLogReplaced: () => void;
}>;

export interface ProcessRunner {
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Has the subscription reached the head of the log since the start? */
  isLive(): boolean;
  /** Names of processes that do not get on. */
  failing(): readonly string[];
}

/** Events between two saves of the checkpoints; a restart repeats at most these, harmlessly. */
const saveEvery = 2_000;
const saveAfterMs = 30_000;
/** For those who began to listen since. */
const announceEveryMs = 5_000;
const quickRetryMs = 100;
const maxRetryMs = 10_000;
const defaultRetryDelayMs = (attempt: number): number =>
  Math.min(maxRetryMs, quickRetryMs * 2 ** (attempt - 1));

/** null, the beginning of the log, as soon as one process has never run. */
const earliest = (positions: readonly (bigint | null)[]): bigint | null => {
  const known = positions.filter((position) => position !== null);
  if (known.length < positions.length) return null;
  const [first] = known.toSorted((left, right) => (left < right ? -1 : 1));
  return first ?? null;
};

/** One subscription to the log feeds every process; each has its own order, pace and checkpoint. */
export const createProcessRunner = (settings: Settings): ProcessRunner => {
  const { eventStore, bus, timers, logger, checkpoints, processes, observe } = settings;
  const awaited = processes.filter(({ aside }) => aside === undefined);
  const awaitedNames = new Set(awaited.map(({ name }) => name));
  const reacted = new Set(awaited.flatMap(({ on }) => Object.keys(on)));
  const saved = new Map<string, bigint>();
  let workers: readonly Worker[] = [];
  let abort: AbortController | null = null;
  let following: Promise<void> = Promise.resolve();
  let timer: Timer | null = null;
  let unsaved = 0;
  /** Of the events that were read, a checkpoint's own included. */
  let newest: LogPlace | null = null;
  let isLive = false;

  const announce = (): void => {
    const audible = workers.filter(({ name }) => awaitedNames.has(name));
    const reported = audible.map(({ name, position, caused, failed }) => ({
      name: `process:${name}`,
      position: (position() ?? -1n).toString(),
      caused: caused().toString(),
      ...(failed() ? { failed: true as const } : {}),
    }));
    bus.publish<CheckpointNotice>(checkpointSubject, { checkpoints: reported });
  };

  const saveOne = async (worker: Worker): Promise<void> => {
    const { name } = worker;
    const checkpoint = worker.checkpoint();
    if (checkpoint === null || saved.get(name) === checkpoint) return;
    await checkpoints.save(name, checkpoint);
    saved.set(name, checkpoint);
  };

  const save = async (): Promise<void> => {
    // In a log that was restored meanwhile the place to be noted does not exist.
    if (newest !== null && !(await holdsPlace(eventStore, newest))) return;
    unsaved = 0;
    // All at once, so that they share one commit of the log.
    const saves = await Promise.allSettled(workers.map(saveOne));
    const failed = saves.find((result) => result.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  };

  const saveQuietly = async (): Promise<void> => {
    try {
      await save();
    } catch (error) {
      logger.warn({ error }, 'checkpoints of processes could not be saved');
    }
  };

  const take = (recorded: Recorded): void => {
    newest = logPlaceOf(recorded);
    observe(recorded);
    // The checkpoints themselves are events too, and must not cause another save.
    if (recorded.event.type !== 'ProcessAdvanced') unsaved += 1;
    for (const worker of workers) worker.offer(recorded);
    if (reacted.has(recorded.event.type)) announce();
  };

  const takeAll = async (events: readonly Recorded[], signal: AbortSignal): Promise<void> => {
    for (const recorded of events) {
      if (signal.aborted) return;
      take(recorded);
      if (unsaved >= saveEvery) await saveQuietly();
    }
  };

  const follow = async (after: bigint | null, signal: AbortSignal): Promise<void> => {
    for await (const item of eventStore.subscribeToAll({ after, lastRead: newest, signal })) {
      if (item === 'caught-up') isLive = true;
      else await takeAll(item, signal);
    }
  };

  /** A checkpoint beyond the log was noted by a process that had followed another: reactions are repeatable. */
  const startOf = async (name: string): Promise<bigint | null> => {
    const stored = await checkpoints.load(name);
    if (stored === null) return null;
    const { position, notedAt } = stored;
    if (newest === null || notedAt.position > newest.position) newest = notedAt;
    const head = await eventStore.head();
    if (head !== null && position <= head) return position;
    logger.error({ process: name, position: String(position) }, 'checkpoint is ahead of the log');
    return null;
  };

  return {
    async start() {
      if (abort) return;
      abort = new AbortController();
      const { signal } = abort;
      const starts: (bigint | null)[] = [];
      const made: Worker[] = [];
      for (const process of processes) {
        const start = await startOf(process.name);
        if (start !== null) saved.set(process.name, start);
        starts.push(start);
        const retryDelayMs = settings.retryDelayMs ?? defaultRetryDelayMs;
        const onProgress = process.aside ? () => undefined : announce;
        made.push(createWorker({ process, start, logger, timers, onProgress, retryDelayMs }));
      }
      workers = made;
      announce();
      following = follow(earliest(starts), signal).catch((error: unknown) => {
        if (signal.aborted) return;
        isLive = false;
        logger.error({ error }, 'subscription of processes ended');
        if (error instanceof LogReplacedError) settings.onLogReplaced();
      });
      let saveAt = timers.now() + saveAfterMs;
      const announceOrSave = (): void => {
        announce();
        if (unsaved === 0 || timers.now() < saveAt) return;
        saveAt = timers.now() + saveAfterMs;
        void saveQuietly();
      };
      timer = timers.setInterval(announceOrSave, announceEveryMs).unref();
    },
    async stop() {
      abort?.abort();
      timers.clear(timer);
      for (const worker of workers) worker.stop();
      await following;
      if (unsaved > 0) await saveQuietly();
      abort = null;
      timer = null;
      isLive = false;
    },
    isLive: () => isLive,
    failing: () => workers.filter(({ failed }) => failed()).map(({ name }) => name),
  };
};
