import { holdsPlace, type LogPlace } from '../../domain/shared/log-place.ts';
import type { EventStore } from '../../infra/ports/event-store.ts';
import type { Logger } from '../../infra/ports/logger.ts';
import type { Timers } from '../../infra/ports/timers.ts';
import { pause } from './db-errors.ts';
import type { Alarm } from './mismatch.ts';
import type { Projector } from './projector.ts';
import type { RowStore } from './row-store.ts';

type Deps = Readonly<{
  rows: RowStore;
  eventStore: EventStore;
  projectors: readonly Projector[];
  timers: Timers;
  logger: Logger;
  alarm: Alarm;
  /** Between two checks. */
  healthCheckMs: number;
}>;

/**
 * Checks periodically whether the log still holds the event that was read last, and whether the
 * tables still exist: with either of the two gone no write would fail. Ends the session for another
 * log.
 */
export const watchHealth = async (
  deps: Deps,
  newest: () => LogPlace | null,
  control: AbortController,
): Promise<void> => {
  const { rows, eventStore, projectors, timers, logger, alarm, healthCheckMs } = deps;
  let known: LogPlace | null = null;
  while (!control.signal.aborted) {
    await pause(timers, healthCheckMs, control.signal);
    if (control.signal.aborted) return;
    try {
      alarm.missing(await rows.missingTables(projectors));
      // What was read before the last check: later events may be of the other log already.
      if (known !== null && !(await holdsPlace(eventStore, known))) {
        alarm.foreign(known);
        control.abort();
        return;
      }
      known = newest();
    } catch (error) {
      logger.debug({ err: error }, 'log and tables could not be checked');
    }
  }
};
