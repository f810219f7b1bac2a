import type { RelayAlive } from '../../domain/account/messages.ts';
import type { Bus, Stop } from '../../infra/ports/bus.ts';
import type { Clock } from '../../infra/ports/clock.ts';
import type { EventStore } from '../../infra/ports/event-store.ts';
import type { Logger } from '../../infra/ports/logger.ts';
import type { Metrics } from '../../infra/ports/metrics.ts';
import type { ReadModels } from '../../infra/ports/read-models.ts';
import type { Verify, VerifyProgress } from '../../infra/ports/verify.ts';
import type { VerifyReportRow, VerifyState } from '../contract/verify.ts';
import { reportRow } from './wire.ts';

type Deps = Readonly<{
  eventStore: EventStore;
  readModels: ReadModels;
  bus: Bus;
  clock: Clock;
  logger: Logger;
  metrics: Metrics;
  verify?: Verify;
}>;

export interface VerifyRuns {
  /** Begins in the background; at most one run at a time on the whole site. */
  begin(): Promise<'begun' | 'running' | 'unavailable'>;
  state(): Promise<VerifyState>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** A relay reports every few seconds; without a report for this long it may be gone. */
const aliveMs = 60_000;
/** The mark of a run goes away when its process died. */
const markSeconds = 600;
const keptSeconds = 30 * 86_400;

type Outcome = Readonly<{ report: VerifyReportRow | null; error: string }>;

/** Runs of `verify`, and what the last one found; shared by all processes over the bus. */
export const createVerifyRuns = (deps: Deps): VerifyRuns => {
  const { bus, clock, logger, verify } = deps;
  const found = deps.metrics.gauge({
    name: 'tollgate_verify_breaks',
    help: 'Breaks that the last verification by this process found; 0 before the first',
  });
  const marks = bus.keyValue('verify-runs', { ttlSeconds: markSeconds });
  const outcomes = bus.keyValue('verify-outcomes', { ttlSeconds: keptSeconds });
  const lastSeen = new Map<string, number>();
  let stopListening: Stop | null = null;

  const aliveRelays = (): ReadonlySet<string> => {
    const since = clock().getTime() - aliveMs;
    for (const [relayId, at] of lastSeen) if (at < since) lastSeen.delete(relayId);
    return new Set(lastSeen.keys());
  };

  const keepLastReport = async (error: string): Promise<Outcome> => {
    const before = await outcomes.get<Outcome>('last');
    return { report: before?.report ?? null, error };
  };

  const run = async (walk: Verify, startedAt: number): Promise<void> => {
    let progress: Promise<unknown> = Promise.resolve();
    const mark = ({ phase, events, share }: VerifyProgress): void => {
      const running = { started_at: startedAt, phase, events, share };
      progress = progress.then(() => marks.put('running', running)).catch(() => undefined);
    };
    try {
      const report = await walk({ ...deps, onProgress: mark, aliveRelays: aliveRelays() });
      await outcomes.put<Outcome>('last', { report: reportRow(report), error: '' });
      const breaks = Object.values(report.breakCounts).reduce((sum, count) => sum + count, 0);
      found.set(breaks);
      if (breaks > 0) logger.error({ breaks, kinds: report.breakCounts }, 'the ledger is broken');
      else logger.info({ events: report.events }, 'the ledger was verified');
    } catch (error) {
      logger.error({ err: error }, 'the ledger could not be verified');
      await outcomes.put<Outcome>('last', await keepLastReport(String(error)));
    } finally {
      await progress;
      await marks.remove('running');
    }
  };

  return {
    async begin() {
      if (verify === undefined) return 'unavailable';
      const startedAt = Math.floor(clock().getTime() / 1_000);
      const first = { started_at: startedAt, phase: 'log', events: 0, share: 0 };
      if (!(await marks.create('running', first))) return 'running';
      run(verify, startedAt).catch((error: unknown) => {
        logger.error({ err: error }, 'the outcome of a verification was lost');
      });
      return 'begun';
    },
    async state() {
      const running = await marks.get<VerifyState['running']>('running');
      const last = await outcomes.get<Outcome>('last');
      return { running, report: last?.report ?? null, error: last?.error ?? '' };
    },
    async start() {
      stopListening ??= await bus.subscribe<RelayAlive>('relay.alive', ({ relayId }) => {
        lastSeen.set(relayId, clock().getTime());
      });
    },
    async stop() {
      await stopListening?.();
      stopListening = null;
    },
  };
};
