import type { AdjustmentKind } from '../../domain/account/adjustment-reason.ts';
import type { LedgerKind } from '../contract/ledger.ts';
import {
  defineTable,
  nullableTextOf,
  type RowOf,
  type SchemaOf,
  textOf,
} from '../runtime/table.ts';

export const ledgerTables = {
  entries: defineTable({
    name: 'entries',
    columns: {
      /** Place in the log of the event that moved the balance. */
      position: 'int8',
      event_id: 'text',
      user_id: 'int8',
      /** Unix seconds. */
      at: 'int8',
      kind: textOf<LedgerKind>(),
      /** Quota units. */
      delta: 'int8',
      balance_after: 'int8',
      request_id: 'text',
      token_id: 'int8',
      model_name: 'text',
      channel_id: 'int8',
      /** Of an adjustment; `reason` is its note. */
      reason_kind: nullableTextOf<AdjustmentKind>(),
      reason: 'text',
      reference: 'text',
      actor_kind: 'text',
      actor_id: 'text',
      /** JSON text of usage and quote of a charge. */
      price: 'text?',
      /** Of a charge; "" otherwise. */
      lease_id: 'text',
    },
    key: ['user_id', 'position'],
    eventPosition: 'position',
    indexes: ['(position)'],
  }),
  /** A lease from its first grant to its end; `closed_at` 0: open. A reused id has another row. */
  leases: defineTable({
    name: 'leases',
    columns: {
      /** The lease and the place where it was opened: a lease id may be used several times. */
      id: 'text',
      lease_id: 'text',
      user_id: 'int8',
      token_id: 'int8',
      relay_id: 'text',
      opened_position: 'int8',
      /** Unix seconds. */
      opened_at: 'int8',
      closed_at: 'int8',
      /** Quota units: granted and not given back, and charged. */
      amount: 'int8',
      spent: 'int8',
    },
    key: ['id'],
    writeIndexes: ['(lease_id) WHERE closed_at = 0'],
    indexes: ['(user_id, opened_at)'],
  }),
  /** What a lease was granted, or gave back (below 0), in quota units. */
  leaseMoves: defineTable({
    name: 'lease_moves',
    columns: {
      user_id: 'int8',
      position: 'int8',
      at: 'int8',
      lease_id: 'text',
      amount: 'int8',
    },
    key: ['user_id', 'position'],
    eventPosition: 'position',
    indexes: ['(position)'],
  }),
  /** The account as of now, in quota units. */
  accounts: defineTable({
    name: 'accounts',
    columns: { user_id: 'int8', balance: 'int8', used: 'int8' },
    key: ['user_id'],
  }),
  /** How many movements of each kind there are on each day (UTC, Unix seconds of its start). */
  days: defineTable({
    name: 'days',
    columns: { user_id: 'int8', day: 'int8', kind: 'text', count: 'int8' },
    key: ['user_id', 'day', 'kind'],
    counters: ['count'],
  }),
};

export type LedgerRow = RowOf<typeof ledgerTables.entries>;
export type LeaseRow = RowOf<typeof ledgerTables.leases>;
export type AccountRow = RowOf<typeof ledgerTables.accounts>;
export type LedgerSchema = SchemaOf<'ledger', typeof ledgerTables>;
