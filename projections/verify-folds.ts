import type { Recorded } from '../domain/shared/event.ts';
import type { FoldInput, TakeRow } from '../infra/ports/read-models.ts';
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
import type { WriteContext } from './usage-log/write-context.ts';
import { type EventSourceSpec, type EventTableSpec, toTake } from './verify-events.ts';

/** Tables that this comparison leaves out take what a handler writes, and forget it. */
const forgetting = {
  insert: () => undefined,
  put: () => undefined,
  patch: () => undefined,
  add: () => undefined,
  accumulate: () => undefined,
  remove: () => undefined,
};

const run = (
  { on }: Projector,
  recorded: Recorded,
  given: Readonly<{ rows: unknown; context: unknown }>,
): void => {
  const handler = on[recorded.event.type];
  if (typeof handler === 'function') handler(given.rows, recorded, given.context);
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
const foldUsage = (given: FoldInput, take: TakeRow) => {
  const context: WriteContext = {
    logsConsumption: true,
    recordsDashboard: true,
    prunedBefore: given.prunedBefore,
    prunes: false,
    departed: new Set(),
  };
  const rows = {
    entries: { ...forgetting, insert: toTake(usageEntries, given, take) },
    hours: forgetting,
    groupMinutes: forgetting,
    hiddenHours: forgetting,
    switches: forgetting,
  };
  return {
    see: (recorded: Recorded) => run(usageLogProjector, recorded, { rows, context }),
    end: () => undefined,
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
const foldLedger = (given: FoldInput, take: TakeRow) => {
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
    see: (recorded: Recorded) => run(ledgerProjector, recorded, { rows, context }),
    end: () => {
      for (const row of open.values()) takeLease(row);
    },
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
const foldAudit = (given: FoldInput, take: TakeRow) => {
  const subjects: KnownSubjects = new Map();
  const owned = new Map<number, Set<string>>();
  const departed = new Set<number>();
  const rows = {
    entries: { ...forgetting, insert: toTake(auditEntries, given, take) },
    things: {
      ...forgetting,
      put: ({ owner_id, thing }: KnownThingRow) => {
        if (owner_id === 0) return;
        const things = owned.get(owner_id) ?? new Set();
        owned.set(owner_id, things.add(thing));
      },
    },
  };
  return {
    see: (recorded: Recorded) => {
      run(auditTrailProjector, recorded, { rows, context: { subjects, departed } });
      for (const userId of departed) {
        const gone = { fields: {}, name: '', sealed: '' };
        for (const thing of owned.get(userId) ?? []) subjects.set(thing, gone);
      }
      departed.clear();
    },
    end: () => undefined,
  };
};

/** The tables that verify compares row by row, with what the log makes of them. */
export const eventSources: readonly EventSourceSpec[] = [
  { projection: 'usage-log', tables: [usageEntries], fold: foldUsage },
  { projection: 'ledger', tables: [movements, leaseMoves, leases], fold: foldLedger },
  { projection: 'audit-trail', tables: [auditEntries], fold: foldAudit },
];
