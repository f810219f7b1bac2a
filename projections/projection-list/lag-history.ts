import type { RequestCharged } from '../../domain/account/events.ts';
import type { Recorded } from '../../domain/shared/event.ts';
import type { Clock } from '../../infra/ports/clock.ts';
import type { LagPoint } from '../contract/projection.ts';
import { type Projector, schemaOf } from '../runtime/projector.ts';
import type { ProjectionStatus } from '../runtime/status.ts';
import { minuteOf, secondsOf } from '../shared/time.ts';

/** Six hours, minute by minute. */
const keptSeconds = 6 * 3_600;

/** The largest lags of each minute, in memory: a process that takes over begins with none. */
export interface LagHistory {
  /** How far each projection is at this moment. */
  observe(rows: readonly ProjectionStatus[]): void;
  /** A charge of the log, however old it is. */
  charged(recorded: Recorded<RequestCharged>): void;
  /** Oldest first; minutes in which nothing was observed are missing. */
  points(): readonly LagPoint[];
}

const empty = (at: number): LagPoint => ({
  at,
  projection_seconds: null,
  projection: '',
  settlement_seconds: null,
});

export const createLagHistory = ({ clock }: Readonly<{ clock: Clock }>): LagHistory => {
  const minutes = new Map<number, LagPoint>();
  const nowSeconds = (): number => Math.floor(clock().getTime() / 1_000);
  const oldest = (): number => minuteOf(nowSeconds() - keptSeconds);

  const change = (seconds: number, changes: (before: LagPoint) => Partial<LagPoint>): void => {
    const at = minuteOf(seconds);
    if (at < oldest()) return;
    const before = minutes.get(at);
    minutes.set(at, { ...(before ?? empty(at)), ...changes(before ?? empty(at)) });
    if (before !== undefined) return;
    for (const kept of minutes.keys()) if (kept < oldest()) minutes.delete(kept);
  };

  return {
    observe: (rows) => {
      const [worst] = [...rows].sort((a, b) => b.lagSeconds - a.lagSeconds);
      if (worst === undefined) return;
      change(nowSeconds(), (before) =>
        before.projection_seconds !== null && before.projection_seconds >= worst.lagSeconds
          ? {}
          : {
              projection_seconds: worst.lagSeconds,
              projection: worst.lagSeconds > 0 ? worst.name : '',
            },
      );
    },
    charged: (recorded) => {
      const { startedAt, durationMs } = recorded.event.data.call;
      const endedMs = Date.parse(startedAt) + durationMs;
      const lag = Math.max(0, Date.parse(recorded.metadata.occurredAt) - endedMs) / 1_000;
      change(secondsOf(recorded), ({ settlement_seconds }) => ({
        settlement_seconds: Math.max(settlement_seconds ?? 0, lag),
      }));
    },
    points: () =>
      [...minutes.values()].filter(({ at }) => at >= oldest()).sort((a, b) => a.at - b.at),
  };
};

const isCharge = (recorded: Recorded): recorded is Recorded<RequestCharged> =>
  recorded.event.type === 'RequestCharged';

/** The same projector, whose charges are noted in the history; a concurrent rebuild is left out. */
export const watchedBy = (history: LagHistory, projector: Projector): Projector => ({
  ...projector,
  prepare: async (events, place) => {
    if (place.schema === schemaOf(projector.name)) {
      for (const recorded of events) if (isCharge(recorded)) history.charged(recorded);
    }
    return projector.prepare?.(events, place);
  },
});
