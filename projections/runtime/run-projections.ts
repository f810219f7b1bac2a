import { LogReplacedError } from '../../domain/shared/log-place.ts';
import type { Bus, Stop } from '../../infra/ports/bus.ts';
import type { Clock } from '../../infra/ports/clock.ts';
import type { EventStore } from '../../infra/ports/event-store.ts';
import type { Logger } from '../../infra/ports/logger.ts';
import type { Gauge, Metrics } from '../../infra/ports/metrics.ts';
import type { Timer, Timers } from '../../infra/ports/timers.ts';
import type { LogTracing } from '../../infra/ports/tracing.ts';
import { backoffMs, pause } from './db-errors.ts';
import { asLeader } from './leadership.ts';
import { createAlarm } from './mismatch.ts';
import type { Projector } from './projector.ts';
import { type OnProgress, rebuildProjection } from './rebuild.ts';
import type { RowStore } from './row-store.ts';
import { runSession, type Session, type SessionDeps } from './session.ts';
import { createStatus, type ProjectionStatus } from './status.ts';

/** Bus subject on which readers report their progress; commands wait for it. */
const checkpointSubject = 'projection.checkpoint';
/** A writer publishes there which place in the log its caller waits for. */
type Awaited = Readonly<{ awaited?: string }>;
type CheckpointAnnouncement = Readonly<{
  checkpoints: readonly Readonly<{ name: string; position: string; failed?: true }>[];
  /** Those whose rows changed since the announcement before. */
  changed: readonly string[];
}>;

export type RunnerDeps = Readonly<{
  rows: RowStore;
  eventStore: EventStore;
  bus: Bus;
  projectors: readonly Projector[];
  clock: Clock;
  timers: Timers;
  logger: Logger;
  metrics: Metrics;
  /** Absent: no collector is configured. */
  tracing?: LogTracing | null;
  /** See `SessionDeps`. */
  healthCheckMs?: number;
  /** Begins what only the active process does; the answer ends it. */
  whileActive?: () => Promise<Stop>;
}>;

export interface Runner {
  /** Resolves when the tables are there, or another process is at work on them. */
  start(): Promise<void>;
  stop(): Promise<void>;
  ready(): Readonly<{ ok: boolean; detail: string }>;
  status(): readonly ProjectionStatus[];
  /** The read models are written by this process, or about to be. */
  isActive(): boolean;
  /** @throws RangeError for an unknown name, Error when another process is the active one */
  rebuild(name: string, onProgress: OnProgress): Promise<void>;
}

/** How often a standby tries to take over, and how often quiet checkpoints are written. */
const tickMs = 1_000;
const defaultHealthCheckMs = 5_000;

const announce = (bus: Bus, { workers }: Session): void => {
  const checkpoints = workers.map((worker) => ({
    name: worker.name,
    position: String(worker.checkpoint() ?? -1n),
    ...(worker.state() === 'failed' ? { failed: true as const } : {}),
  }));
  const changed = workers.filter((worker) => worker.takeChanged()).map(({ name }) => name);
  bus.publish<CheckpointAnnouncement>(checkpointSubject, { checkpoints, changed });
};

/** One message for all projectors that advanced in the same turn of the event loop. */
const coalesced = (timers: Timers, task: () => void): (() => void) => {
  let scheduled = false;
  return () => {
    if (scheduled) return;
    scheduled = true;
    timers.setImmediate(() => {
      scheduled = false;
      task();
    });
  };
};

const tick = async (deps: RunnerDeps, session: Session, lag: Gauge): Promise<void> => {
  announce(deps.bus, session);
  for (const worker of session.workers) {
    const behind = (session.reading.head ?? 0n) - (worker.checkpoint() ?? 0n);
    lag.set(Number(behind), { projection: worker.name });
  }
  await session.ticks.persist().catch((error: unknown) => {
    deps.logger.debug({ err: error }, 'checkpoints not written');
  });
};

export const createRunner = (deps: RunnerDeps): Runner => {
  const { bus, rows, eventStore, timers, logger, projectors } = deps;
  const control = new AbortController();
  const lag = deps.metrics.gauge({
    name: 'projection_lag_positions',
    help: 'Distance in the log between the newest event read and the checkpoint',
    labels: ['projection'],
  });
  const alarm = createAlarm(deps);
  const status = createStatus({ ...deps, alarm });
  const whileActive = deps.whileActive ?? (async () => async () => undefined);
  let isActive = false;
  let session: Session | null = null;
  let running: Promise<void> = Promise.resolve();
  let listening: Promise<Stop> = Promise.resolve(async () => undefined);

  const onProgress = coalesced(timers, () => {
    if (session !== null) announce(bus, session);
  });
  const lead = async (signal: AbortSignal, onOpen: () => void): Promise<void> => {
    let timer: Timer | null = null;
    isActive = true;
    const ended = whileActive();
    // Without it the other processes answer for themselves; nothing else hangs on the bus being there.
    ended.catch((error: unknown) => logger.warn({ err: error }, 'standbys are not answered'));
    try {
      await rows.createCheckpointTable();
      const { healthCheckMs = defaultHealthCheckMs, tracing = null } = deps;
      const own = { onProgress, tracing, alarm, healthCheckMs };
      const sessionDeps: SessionDeps = { rows, eventStore, projectors, timers, logger, ...own };
      await runSession(sessionDeps, signal, (opened) => {
        session = opened;
        status.opened(opened);
        timer = timers.setInterval(() => {
          status.sample();
          void tick(deps, opened, lag);
        }, tickMs);
        announce(bus, opened);
        onOpen();
      });
    } catch (error) {
      if (error instanceof LogReplacedError) alarm.foreign(error.at);
      throw error;
    } finally {
      isActive = false;
      timers.clear(timer);
      session = null;
      status.closed();
      ended.then((end) => end()).catch(() => undefined);
    }
  };
  const runForEver = async (onSettled: () => void): Promise<void> => {
    for (let failures = 0; !control.signal.aborted; ) {
      try {
        const onOpen = () => {
          failures = 0;
          onSettled();
        };
        const led = await asLeader({ rows, timers }, control.signal, (signal) =>
          lead(signal, onOpen),
        );
        if (!led) {
          status.standby();
          onSettled();
        }
        await pause(timers, tickMs, control.signal);
      } catch (error) {
        logger.error({ err: error }, 'projections start again');
        await pause(timers, backoffMs(failures), control.signal);
        failures += 1;
      }
    }
  };
  return {
    start: async () => {
      listening = bus.subscribe<Awaited>(checkpointSubject, ({ awaited }) => {
        if (awaited !== undefined) session?.ticks.awaited(BigInt(awaited));
      });
      // Without it callers wait for a tick; nothing else hangs on the bus being there.
      listening.catch((error: unknown) => logger.warn({ err: error }, 'awaited places unheard'));
      await new Promise<void>((resolve) => {
        running = runForEver(resolve).finally(resolve);
      });
    },
    stop: async () => {
      control.abort();
      listening.then((stopListening) => stopListening()).catch(() => undefined);
      await running;
    },
    ready: () => status.ready(),
    status: () => status.rows(),
    isActive: () => isActive,
    rebuild: async (name, onProgress) => {
      const projector = projectors.find((candidate) => candidate.name === name);
      if (projector === undefined) throw new RangeError(`no projection is called ${name}`);
      const worker = session?.workers.find((candidate) => candidate.name === name);
      if (worker === undefined) throw new Error('another process is the active one');
      await status.rebuilding(name, (report) =>
        rebuildProjection({ rows, projector, eventStore, worker }, (progress) => {
          report(progress);
          onProgress(progress);
        }),
      );
    },
  };
};
