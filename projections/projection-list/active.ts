import type { Bus, Stop } from '../../infra/ports/bus.ts';
import type { Logger } from '../../infra/ports/logger.ts';
import type { Timers } from '../../infra/ports/timers.ts';
import type { LagPoint, ProjectionRow } from '../contract/projection.ts';
import { pause } from '../runtime/db-errors.ts';
import type { Runner } from '../runtime/run-projections.ts';
import type { ProjectionStatus } from '../runtime/status.ts';
import type { LagHistory } from './lag-history.ts';

/** Bus subjects that the active process answers, for itself and for those in standby. */
const statusSubject = 'projection.status';
const rebuildSubject = 'projection.rebuild';
const lagSubject = 'projection.lag';

/** How often the lags are read. */
const observeMs = 5_000;

/** A takeover takes a second or two; a call meanwhile waits for as long. */
const retryMs = 250;
const attempts = 12;
const answerMs = 2_000;

type RebuildOutcome = 'begun' | 'busy' | 'unknown';
type RebuildRequest = Readonly<{ name: string }>;
type RebuildAnswer = Readonly<{ outcome: RebuildOutcome }>;

type LocalRunner = Pick<Runner, 'status' | 'rebuild' | 'isActive'>;
type ServeDeps = Readonly<{
  bus: Bus;
  runner: LocalRunner;
  logger: Logger;
  timers: Timers;
  lags: LagHistory;
}>;

const rowOf = (status: ProjectionStatus): ProjectionRow => ({
  name: status.name,
  state: status.state,
  position: status.position === null ? '' : String(status.position),
  head: status.head === null ? '' : String(status.head),
  lag_seconds: status.lagSeconds,
  events_per_second: status.eventsPerSecond,
  rebuild_progress: status.rebuildProgress,
  error: status.error,
});

/** A process that has just taken over is in standby no more, though its workers have not begun. */
const rowsOf = (runner: LocalRunner): readonly ProjectionRow[] => {
  const isBeginning = (state: ProjectionStatus['state']) =>
    state === 'standby' && runner.isActive();
  return runner
    .status()
    .map((status) => rowOf(isBeginning(status.state) ? { ...status, state: 'starting' } : status));
};

const notNow: readonly ProjectionStatus['state'][] = ['rebuilding', 'standby', 'starting'];

const begin = ({ runner, logger }: ServeDeps, name: string): RebuildOutcome => {
  const row = runner.status().find((candidate) => candidate.name === name);
  if (row === undefined) return 'unknown';
  if (notNow.includes(row.state)) return 'busy';
  runner
    .rebuild(name, () => {})
    .catch((error: unknown) => logger.error({ err: error, projection: name }, 'rebuild failed'));
  return 'begun';
};

/** While this process is the active one: answers for the projections of the site. */
export const serveActive = async (deps: ServeDeps): Promise<Stop> => {
  const { bus, runner, timers, lags } = deps;
  const timer = timers.setInterval(() => lags.observe(runner.status()), observeMs).unref();
  const stops = await Promise.all([
    bus.serve(statusSubject, async () => rowsOf(runner)),
    bus.serve(lagSubject, async () => lags.points()),
    bus.serve<RebuildRequest, RebuildAnswer>(rebuildSubject, async ({ name }) => ({
      outcome: begin(deps, name),
    })),
  ]);
  return async () => {
    timers.clear(timer);
    for (const stop of stops) await stop();
  };
};

export interface ActiveProjections {
  /** How far each projection is, whichever process has them; this one's own where none answers. */
  rows(): Promise<readonly ProjectionRow[]>;
  /** What the active process has seen of lags; empty where none answers. */
  lag(): Promise<readonly LagPoint[]>;
  /** `busy` as well where no process is active at the moment. */
  rebuild(name: string): Promise<RebuildOutcome>;
}

/** The same answer from every process: that of the active one. */
export const createActiveProjections = (deps: ServeDeps): ActiveProjections => {
  const { bus, runner, timers, lags } = deps;
  const notStopped = new AbortController().signal;

  /** `own` where this process is or becomes the active one, else the answer of the one that is. */
  const ask = async <T>(subject: string, body: unknown, own: () => T): Promise<T | null> => {
    for (let attempt = 1; attempt <= attempts; attempt += 1) {
      if (runner.isActive()) return own();
      const answer = await bus
        .request<unknown, T>(subject, body, { timeoutMs: answerMs })
        .catch(() => null);
      if (answer !== null) return answer;
      await pause(timers, retryMs, notStopped);
    }
    return null;
  };
  return {
    rows: async () => (await ask(statusSubject, {}, () => rowsOf(runner))) ?? rowsOf(runner),
    lag: async () => (await ask(lagSubject, {}, () => lags.points())) ?? [],
    rebuild: async (name) => {
      const own = (): RebuildAnswer => ({ outcome: begin(deps, name) });
      return (await ask(rebuildSubject, { name }, own))?.outcome ?? 'busy';
    },
  };
};
