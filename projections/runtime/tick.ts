import type { EventType } from '../../domain/events.ts';
import type { Recorded } from '../../domain/shared/event.ts';
import type { Logger } from '../../infra/ports/logger.ts';
import type { Timer, Timers } from '../../infra/ports/timers.ts';
import type { LogTracing } from '../../infra/ports/tracing.ts';
import type { RowStore } from './row-store.ts';
import { createMemory, type Memory, projectTogether, sharedStep } from './tick-transaction.ts';
import type { Member, Worker } from './worker.ts';

/**
 * Between two ticks while what waits may wait. `quietMs` is shorter than the tick in which a relay ships its
 * usage, so that what came with one shipment seldom waits for the next.
 */
const quietMs = 750;
const busyMs = 250;
/** So many events are worth a tick of their own after the shorter time. */
const busyEvents = 100;
/** Events of one tick; beyond them the reader of the log waits. */
const maxPending = 2_000;

/**
 * What relays and keepers record by themselves. Every other event may be of a command whose caller
 * waits until it is shown, or of a change that relays need: it ends a tick at once.
 */
const deferrable: ReadonlySet<string> = new Set([
  'QuotaLeased',
  'LeaseReturned',
  'LeaseExpired',
  'RequestCharged',
  'RequestFailed',
  'CallsRefused',
  'RequestAbandoned',
  'UsageNumberSkipped',
  'ProducerClosed',
  'TokenBudgetClosed',
  'AccountSnapshotTaken',
  'LeasedAccountsNoted',
  'ProcessAdvanced',
] satisfies EventType[]);

const isUrgent = ({ event }: Recorded): boolean => !deferrable.has(event.type);

type Settings = Readonly<{
  rows: RowStore;
  workers: readonly Worker[];
  timers: Timers;
  logger: Logger;
  /** Absent: no collector is configured. */
  tracing?: LogTracing | null;
  /** After each tick. */
  onProgress: () => void;
}>;
type Deps = Settings & Readonly<{ memory: Memory }>;

type Joined = Readonly<{ worker: Worker; member: Member }>;

const write = async (
  deps: Deps,
  members: readonly Member[],
  events: readonly Recorded[],
): Promise<void> => {
  const last = events.at(-1);
  if (last === undefined) return;
  const sinceMs = deps.tracing?.now() ?? 0;
  const parts = members.map((member) => ({ member, relevant: member.relevant(events) }));
  const isShown = parts.some(({ relevant }) => relevant.length > 0);
  const changes = isShown ? await projectTogether(deps, parts, last) : null;
  for (const member of members) {
    member.passed(events);
    if (changes !== null) member.persistedAt({ position: last.position, eventId: last.eventId });
    deps.memory.passed(member, last.position);
  }
  await Promise.all([...(changes ?? [])].map(([member, rows]) => member.changed(rows)));
  deps.tracing?.projected(events, sinceMs);
};

/** Those that are behind this place and have nothing of their own to do; the others take `events`. */
const joinTick = ({ workers }: Deps, events: readonly Recorded[]): Joined[] => {
  const to = events.at(-1)?.position ?? 0n;
  return workers.flatMap((worker) => {
    const member = worker.join();
    if (member !== null && (member.at === null || member.at.position < to)) {
      return [{ worker, member }];
    }
    member?.release();
    worker.offer(events);
    return [];
  });
};

/**
 * One tick: its events take effect in all projectors that are level, in one transaction. Those that
 * are not, and all of them when it fails, take the events by themselves and join again later.
 */
const runTick = async (deps: Deps, events: readonly Recorded[]): Promise<void> => {
  const joined = joinTick(deps, events);
  const members = joined.map(({ member }) => member);
  const isWritten = await write(deps, members, events).then(
    () => true,
    (error: unknown) => {
      // What it made is gone again, and cached values may be what is wrong.
      deps.memory.clear();
      deps.logger.debug({ err: error }, 'projections take a tick one by one');
      return false;
    },
  );
  for (const { worker, member } of joined) {
    member.release();
    if (!isWritten) worker.offer(events);
  }
  deps.onProgress();
};

/** Checkpoints that so far moved in memory only, those of one place in one statement. */
const persistAll = async ({ rows, workers }: Deps): Promise<void> => {
  const byPlace = new Map<string, Member[]>();
  const alone: Worker[] = [];
  for (const worker of workers) {
    const member = worker.join();
    if (member === null) alone.push(worker);
    else if (member.at === null || member.at.position === member.persisted?.position)
      member.release();
    else {
      const place = `${member.at.position}/${member.at.eventId}`;
      byPlace.set(place, [...(byPlace.get(place) ?? []), member]);
    }
  }
  const together = [...byPlace.values()].map(async (members) => {
    try {
      const at = members[0]?.at ?? null;
      if (at === null) return;
      await rows.moveCheckpoints(sharedStep(members, at.position, at.eventId));
      for (const member of members) member.persistedAt(at);
    } finally {
      for (const member of members) member.release();
    }
  });
  await Promise.all([...together, ...alone.map((worker) => worker.persist())]);
};

export interface Ticks {
  push(events: readonly Recorded[]): void;
  /** A caller waits until this place in the log is shown: no tick is put off before it. */
  awaited(position: bigint): void;
  /** Resolves when more may be pushed. */
  room(): Promise<void>;
  /** Once a second: writes checkpoints that so far moved in memory only. */
  persist(): Promise<void>;
  /** Resolves when the tick under way is done. */
  stop(): Promise<void>;
}

/**
 * Gathers the events of the log's head. After a quiet moment the first of them goes at once, and so
 * do those that a caller may wait for; all others go together, a tick after those before them.
 */
export const createTicks = (settings: Settings): Ticks => {
  const { timers } = settings;
  const deps = { ...settings, memory: createMemory() };
  let pending: Recorded[] = [];
  let urgent = false;
  let isStopped = false;
  /** Of the newest event that went into a tick, and the newest that a caller waits for. */
  let taken = -1n;
  let goal = -1n;
  let timer: Timer | null = null;
  let lastAt = Number.NEGATIVE_INFINITY;
  let running: Promise<void> | null = null;

  const begin = (): void => {
    timer = null;
    if (isStopped || pending.length === 0 || running !== null) return;
    const events = pending;
    pending = [];
    urgent = false;
    lastAt = timers.now();
    taken = events.at(-1)?.position ?? taken;
    run(runTick(deps, events));
  };
  const run = (task: Promise<void>): void => {
    const isDone = () => {
      running = null;
      schedule();
    };
    running = task.then(isDone, isDone);
  };
  const msUntilTick = (): number => {
    if (urgent || goal > taken) return 0;
    const tickMs = pending.length >= busyEvents ? busyMs : quietMs;
    return Math.max(0, lastAt + tickMs - timers.now());
  };
  const schedule = (): void => {
    if (isStopped || pending.length === 0 || running !== null) return;
    const waitMs = msUntilTick();
    timers.clear(timer);
    timer = null;
    if (waitMs > 0) timer = timers.setTimeout(begin, waitMs);
    // What arrives in the same turn of the event loop goes along.
    else timers.setImmediate(begin);
  };
  return {
    room: async () => {
      while (pending.length >= maxPending && running !== null) await running;
    },
    persist: async () => {
      if (running !== null) return;
      const persisting = persistAll(deps);
      run(persisting);
      await persisting;
    },
    awaited: (position) => {
      if (position <= goal) return;
      goal = position;
      schedule();
    },
    push: (events) => {
      const wasUrgent = urgent;
      const before = pending.length;
      for (const recorded of events) pending.push(recorded);
      urgent = urgent || pending.length >= maxPending || events.some(isUrgent);
      const isBusy = before < busyEvents && pending.length >= busyEvents;
      if (before === 0 || isBusy || urgent !== wasUrgent) schedule();
    },
    stop: async () => {
      isStopped = true;
      timers.clear(timer);
      await running;
    },
  };
};
