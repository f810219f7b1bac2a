import { holdsPlace, type LogPlace } from '../../domain/shared/log-place.ts';
import type { EventStore } from '../../infra/ports/event-store.ts';
import type { Logger } from '../../infra/ports/logger.ts';
import type { Metrics } from '../../infra/ports/metrics.ts';
import { type Projector, schemaOf } from './projector.ts';
import type { RowStore } from './row-store.ts';

/** Why tables are rebuilt although their version is the right one. */
type Reason = 'another-log' | 'missing-tables';

/** Reports that read models and log do not belong together, or that there are no read models. */
export interface Alarm {
  /** From the last session: whatever the checkpoints are, the rows are of another log. */
  isForeign(): boolean;
  /** The log does not hold the event that was read last. */
  foreign(at: LogPlace): void;
  rebuilds(projection: string, reason: Reason): void;
  /** `ledger.entries`; none: all are there. */
  missing(tables: readonly string[]): void;
  /** For `/readyz`; "" when there is no problem. */
  detail(): string;
  isMissing(): boolean;
  /** A session has taken over the state of the log. */
  opened(): void;
}

const texts: Readonly<Record<Reason, string>> = {
  'another-log': 'the log is not the one that they were built from',
  'missing-tables': 'their tables were gone',
};

export const createAlarm = ({
  logger,
  metrics,
}: Readonly<{ logger: Logger; metrics: Metrics }>): Alarm => {
  const rebuilt = new Map<string, Reason>();
  let foreign = false;
  let gone: readonly string[] = [];
  const rebuilds = metrics.counter({
    name: 'projection_rebuild_alarms_total',
    help: 'Read models that were rebuilt because they did not belong to the log or were missing',
    labels: ['projection', 'reason'],
  });
  const missing = metrics.gauge({
    name: 'projection_tables_missing',
    help: 'Tables of read models that do not exist',
  });
  const rebuiltText = (reason: Reason): string => {
    const names = [...rebuilt].filter(([, why]) => why === reason).map(([name]) => name);
    return names.length === 0 ? '' : `rebuilt, ${texts[reason]}: ${names.join(', ')}`;
  };
  return {
    isForeign: () => foreign,
    foreign: ({ position, eventId }) => {
      foreign = true;
      const about = { position: String(position), eventId };
      logger.error(about, 'the log does not hold the event that was read last');
    },
    rebuilds: (projection, reason) => {
      rebuilt.set(projection, reason);
      rebuilds.inc(1, { projection, reason });
      logger.error({ projection, reason }, 'read model is rebuilt from the log');
    },
    missing: (tables) => {
      if (tables.length > 0 && tables.join() !== gone.join()) {
        logger.error({ tables }, 'tables of read models are missing');
      }
      gone = tables;
      missing.set(tables.length);
    },
    isMissing: () => gone.length > 0,
    opened: () => {
      foreign = false;
    },
    detail: () => {
      const absent = gone.length === 0 ? '' : `missing: ${gone.join(', ')}`;
      const parts = [absent, rebuiltText('another-log'), rebuiltText('missing-tables')];
      return parts.filter((part) => part !== '').join('; ');
    },
  };
};

type Deps = Readonly<{
  rows: RowStore;
  eventStore: EventStore;
  projectors: readonly Projector[];
  logger: Logger;
  alarm: Alarm;
}>;

/** Whether the log holds the place of each checkpoint, read once for each place. */
const createPlaces = ({ eventStore, logger }: Deps) => {
  const asked = new Map<string, Promise<boolean>>();
  const ask = async (at: LogPlace): Promise<boolean> => {
    try {
      return await holdsPlace(eventStore, at);
    } catch (error) {
      // The log is away: it is checked again while the session continues.
      logger.warn({ err: error }, 'an event could not be read from the log');
      return true;
    }
  };
  return (at: LogPlace): Promise<boolean> => {
    const key = `${at.position}/${at.eventId}`;
    const known = asked.get(key) ?? ask(at);
    asked.set(key, known);
    return known;
  };
};

/** The projections whose tables do not belong to the log, or are not there. */
export const reasonToRebuild = async (deps: Deps): Promise<ReadonlyMap<string, Reason>> => {
  const { rows, projectors, alarm } = deps;
  const reasons = new Map<string, Reason>();
  const holds = createPlaces(deps);
  const gone = await rows.missingTables(projectors);
  await Promise.all(
    projectors.map(async ({ name }) => {
      const checkpoint = await rows.readCheckpoint(name);
      if (checkpoint === null) return;
      const { at } = checkpoint;
      const isOurs = at === null || (!alarm.isForeign() && (await holds(at)));
      if (!isOurs) reasons.set(name, 'another-log');
      else if (gone.some((table) => table.startsWith(`${schemaOf(name)}.`))) {
        reasons.set(name, 'missing-tables');
      }
    }),
  );
  alarm.opened();
  return reasons;
};
