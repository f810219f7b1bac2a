import type { Recorded } from '../../domain/shared/event.ts';
import type { LogPlace } from '../../domain/shared/log-place.ts';
import { createInbox } from './inbox.ts';
import {
  announceChanges,
  applyPatiently,
  comeTo,
  noteSeen,
  nowhere,
  type Progress,
  relevantTo,
  serve,
  type WorkerDeps,
  type WorkerState,
} from './progress.ts';
import type { Projector } from './projector.ts';
import type { TableChanges } from './row-batch.ts';

/**
 * Events of one transaction. While tables are built that are not read yet they take
 * all events that wait: a lagging projector uses larger batches, which cost fewer round trips.
 */
const batchEvents = 1_000;
const freshBatchEvents = 8_000;

/** A worker that shares the transaction of a tick; until it is released it does nothing else. */
export interface Member {
  readonly projector: Projector;
  /** How far it is; null where it has seen nothing. */
  readonly at: LogPlace | null;
  /** The state in the database. */
  readonly persisted: LogPlace | null;
  /** Those of a tick that change its rows. */
  relevant(events: readonly Recorded[]): readonly Recorded[];
  /** The events took effect in memory. */
  passed(events: readonly Recorded[]): void;
  /** The database has this place as its checkpoint. */
  persistedAt(place: LogPlace): void;
  /** Its rows were committed. */
  changed(changes: readonly TableChanges[]): Promise<void>;
  release(): void;
}

/** Runs one projector, independently of the others but for the ticks that it joins. */
export interface Worker {
  readonly name: string;
  /** Events that it takes by itself, in separate transactions. */
  offer(events: readonly Recorded[]): void;
  /** Resolves when more may be offered. */
  room(): Promise<void>;
  /** Holds it for one tick; null while it has other work, does not serve, or failed. */
  join(): Member | null;
  /** All events up to here have taken effect. */
  checkpoint(): bigint | null;
  /** The same with its event; null where it has seen nothing. */
  place(): LogPlace | null;
  state(): WorkerState;
  error(): string;
  /** Events that went by since the start, and when the newest of them happened (ISO-8601). */
  seen(): Readonly<{ count: number; at: string | null }>;
  /** The head of the log was here: from this position on the rows are fit to be shown. */
  serveFrom(goal: bigint | null): Promise<void>;
  isServing(): boolean;
  /** Whether rows were written since the last call. */
  takeChanged(): boolean;
  /** Once a second: writes a checkpoint that so far moved in memory only. */
  persist(): Promise<void>;
  /** Runs `task` between two batches, then continues from the checkpoint that it returns. */
  between(task: () => Promise<LogPlace | null>): Promise<void>;
  run(): Promise<void>;
}

export const createWorker = (deps: WorkerDeps): Worker => {
  const { rows, projector, signal } = deps;
  const inbox = createInbox();
  const progress: Progress = {
    checkpoint: deps.prepared.at?.position ?? null,
    eventId: deps.prepared.at?.eventId ?? null,
    persisted: deps.prepared.at,
    fresh: deps.prepared.fresh,
    state: 'running',
    error: '',
    seen: 0,
    seenAt: null,
    goal: undefined,
    serving: false,
    hasChanged: false,
  };
  let turn: Promise<unknown> = Promise.resolve();
  /** Tasks that have their turn or wait for it, and events that were offered and are not done. */
  let busy = 0;
  /** Batches, lazy checkpoints and swaps of one projector never overlap. */
  const inTurn = <T>(task: () => Promise<T>): Promise<T> => {
    busy += 1;
    const result = turn.then(task).finally(() => {
      busy -= 1;
    });
    turn = result.catch(() => undefined);
    return result;
  };
  const place = (): LogPlace | null => {
    const { checkpoint: position, eventId } = progress;
    return position === null || eventId === null ? null : { position, eventId };
  };
  const join = (): Member | null => {
    const { serving, state, fresh, persisted } = progress;
    // Once the session ends, events that were offered are dropped: none after them may take effect.
    if (signal.aborted) return null;
    if (busy > 0 || !serving || fresh || state === 'failed') return null;
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    void inTurn(() => held);
    return {
      projector,
      at: place(),
      persisted,
      relevant: (events) => relevantTo(projector, progress, events),
      passed: (events) => {
        const last = events.at(-1);
        if (last !== undefined) comeTo(progress, last.position, last.eventId);
        noteSeen(progress, events);
      },
      persistedAt: (persistedPlace) => {
        progress.persisted = persistedPlace;
      },
      changed: (changes) => announceChanges(deps, progress, changes),
      release,
    };
  };
  if (signal.aborted) inbox.close();
  signal.addEventListener('abort', () => inbox.close(), { once: true });
  const run = async () => {
    for (;;) {
      const events = await inbox.take(progress.fresh ? freshBatchEvents : batchEvents);
      if (events === null) return;
      await inTurn(async () => {
        if (progress.state === 'failed') return;
        await applyPatiently(deps, progress, events);
        noteSeen(progress, events);
        await serve(deps, progress);
      }).finally(() => {
        busy -= events.length;
      });
      deps.onProgress();
    }
  };
  return {
    name: projector.name,
    offer: (events) => {
      busy += events.length;
      inbox.push(events);
    },
    room: inbox.room,
    join,
    checkpoint: () => progress.checkpoint,
    place,
    state: () => progress.state,
    error: () => progress.error,
    seen: () => ({ count: progress.seen, at: progress.seenAt }),
    serveFrom: (goal) =>
      inTurn(async () => {
        progress.goal = goal;
        await serve(deps, progress);
        deps.onProgress();
      }),
    isServing: () => progress.serving,
    takeChanged: () => {
      const { hasChanged } = progress;
      progress.hasChanged = false;
      return hasChanged;
    },
    persist: () =>
      inTurn(async () => {
        await serve(deps, progress);
        const { persisted: from, state } = progress;
        const to = place();
        if (to === null || to.position === from?.position || state === 'failed') return;
        const { position, eventId } = to;
        const { name } = projector;
        await rows.moveCheckpoints({ from: [{ name, at: from }], to: position, eventId });
        progress.persisted = to;
      }),
    between: (task) =>
      inTurn(async () => {
        const reached = await task();
        const { position, eventId } = reached ?? nowhere;
        progress.persisted = reached;
        comeTo(progress, position, eventId);
        progress.fresh = false;
        progress.state = 'running';
        progress.error = '';
        progress.hasChanged = true;
      }),
    run,
  };
};
