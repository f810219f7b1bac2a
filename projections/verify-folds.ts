import type { Kysely } from 'kysely';
import type { Recorded } from '../domain/shared/event.ts';
import type { FoldInput, RowFold, TakeRow } from '../infra/ports/read-models.ts';
import type { KnownSubjects } from './audit-trail/audit-subjects.ts';
import { auditTrailProjector } from './audit-trail/projector.ts';
import { auditTrailTables, type KnownThingRow } from './audit-trail/table.ts';
import type { OpenLeases } from './ledger/leases.ts';
import { ledgerProjector } from './ledger/projector.ts';
import { type LeaseRow, ledgerTables } from './ledger/table.ts';
import type { Projector } from './runtime/projector.ts';
import type { Row } from './runtime/table.ts';
import { usageLogProjector } from './usage-log/projector.ts';
import { usageLogTables } from './usage-log/table.ts';
import { pruneMark, type WriteContext } from './usage-log/write-context.ts';
import { movementDays } from './verify-days.ts';
import { type EventTableSpec, type RowSourceSpec, toTake } from './verify-events.ts';
import { FoldedRows, forgetting } from './verify-folded-rows.ts';

/** Runs the handlers of a projector over rows that are no tables. */
const running =
  ({ on }: Projector, rows: unknown, context: unknown) =>
  (recorded: Recorded): void => {
    const handler = on[recorded.event.type];
    if (typeof handler === 'function') handler(rows, recorded, context);
  };

const isFailure = ({ type }: Row): boolean => type === 5;
const usageEntries: EventTableSpec = {
  schema: 'usage_log',
  table: usageLogTables.entries,
  position: 'id',
  loose: [
    {
      label: 'user',
      person: 'user_id',
      columns: ['details'],
      applies: isFailure,
      where: 'type = 5',
    },
  ],
  // The log keeps failures for a while only.
  keeps: (row, { failuresSince }) => !isFailure(row) || Number(row.created_at) >= failuresSince,
  where: ({ failuresSince }) => `(type <> 5 OR created_at >= ${failuresSince})`,
};
const foldUsage = (db: Kysely<unknown>, given: FoldInput, take: TakeRow): RowFold => {
  const context: WriteContext = {
    logsConsumption: true,
    recordsDashboard: true,
    prunedBefore: given.prunedBefore,
    prunes: false,
  };
  const hiddenHours = new FoldedRows(db, {
    schema: 'usage_log',
    table: usageLogTables.hiddenHours,
  });
  const switches = new FoldedRows(db, { schema: 'usage_log', table: usageLogTables.switches });
  // Sums are held against the rows beneath them.
  const entries = { ...forgetting, insert: toTake(usageEntries, given, take) };
  const rows = { entries, hours: forgetting, groupMinutes: forgetting, hiddenHours, switches };
  return {
    see: running(usageLogProjector, rows, context),
    end: () => {
      const { prunedBefore } = given;
      // The cut is known from the start on, so that no event moves it.
      if (prunedBefore > 0) switches.put({ key: pruneMark, value: String(prunedBefore) });
    },
    folded: [hiddenHours, switches],
  };
};

const movements: EventTableSpec = {
  schema: 'ledger',
  table: ledgerTables.entries,
  position: 'position',
};
const leaseMoves: EventTableSpec = {
  schema: 'ledger',
  table: ledgerTables.leaseMoves,
  position: 'position',
};
const leases: EventTableSpec = {
  schema: 'ledger',
  table: ledgerTables.leases,
  position: 'opened_position',
};
const foldLedger = (db: Kysely<unknown>, given: FoldInput, take: TakeRow): RowFold => {
  const context: OpenLeases = new Map();
  const open = new Map<string, LeaseRow>();
  const takeLease = toTake(leases, given, take);
  const rows = {
    entries: { ...forgetting, insert: toTake(movements, given, take) },
    leaseMoves: { ...forgetting, insert: toTake(leaseMoves, given, take) },
    leases: {
      ...forgetting,
      put: (row: LeaseRow) => open.set(row.id, row),
      patch: (id: string, changes: Partial<LeaseRow>) => {
        const row = open.get(id);
        if (row === undefined) return;
        const changed = { ...row, ...changes };
        if (changed.closed_at === 0) open.set(id, changed);
        else {
          open.delete(id);
          takeLease(changed);
        }
      },
    },
    accounts: forgetting,
    days: forgetting,
  };
  return {
    see: running(ledgerProjector, rows, context),
    end: () => {
      for (const row of open.values()) takeLease(row);
    },
    folded: [movementDays(db)],
  };
};

const auditEntries: EventTableSpec = {
  schema: 'audit_trail',
  table: auditTrailTables.entries,
  position: 'position',
  loose: [
    {
      label: 'owner',
      person: 'owner_id',
      columns: ['before', 'after', 'subject_name', 'sealed_before'],
      applies: ({ owner_id }) => owner_id !== 0,
      where: 'owner_id <> 0',
    },
    {
      label: 'actor',
      person: 'actor_id',
      columns: ['ip'],
      applies: ({ actor_kind, ip }) =>
        (actor_kind === 'user' || actor_kind === 'admin') && ip !== '',
      where: "actor_kind IN ('user', 'admin') AND ip <> ''",
    },
  ],
};
const foldAudit = (db: Kysely<unknown>, given: FoldInput, take: TakeRow): RowFold => {
  const subjects: KnownSubjects = new Map();
  const departed = new Set<number>();
  const owned = new Map<number, Set<string>>();
  const gone = { fields: '{}', name: '', sealed: '' };
  const things = new FoldedRows(db, {
    schema: 'audit_trail',
    table: auditTrailTables.things,
    left: (row) => (departed.has(Number(row.owner_id)) ? { ...row, ...gone } : row),
  });
  const put = (row: KnownThingRow): void => {
    things.put(row);
    const { owner_id, thing } = row;
    if (owner_id !== 0) owned.set(owner_id, (owned.get(owner_id) ?? new Set()).add(thing));
  };
  const entries = { ...forgetting, insert: toTake(auditEntries, given, take) };
  const rows = { entries, things: { ...forgetting, put } };
  const see = running(auditTrailProjector, rows, { subjects, departed });
  return {
    see: (recorded) => {
      see(recorded);
      if (recorded.event.type !== 'UserDeleted') return;
      const { userId } = recorded.event.data as { userId: number };
      for (const thing of owned.get(userId) ?? []) {
        subjects.set(thing, { fields: {}, name: '', sealed: '' });
      }
    },
    end: () => undefined,
    folded: [things],
  };
};

/** The tables whose rows each come of one event, and what else their handlers write. */
export const eventSources: readonly RowSourceSpec[] = [
  { projector: usageLogProjector, tables: [usageEntries], fold: foldUsage },
  { projector: ledgerProjector, tables: [movements, leaseMoves, leases], fold: foldLedger },
  { projector: auditTrailProjector, tables: [auditEntries], fold: foldAudit },
];
