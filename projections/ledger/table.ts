import type { AdjustmentKind } from '../../domain/account/adjustment-reason.ts';
import type { LedgerKind } from '../contract/ledger.ts';
import { tableOf } from '../runtime/table.ts';

export type LedgerRow = Readonly<{
  /** Place in the log of the event that moved the balance. */
  position: number;
  event_id: string;
  user_id: number;
  /** Unix seconds. */
  at: number;
  kind: LedgerKind;
  /** Quota units. */
  delta: number;
  balance_after: number;
  request_id: string;
  token_id: number;
  model_name: string;
  channel_id: number;
  /** Of an adjustment; `reason` is its note. */
  reason_kind: AdjustmentKind | null;
  reason: string;
  reference: string;
  actor_kind: string;
  actor_id: string;
  /** JSON text of usage and quote of a charge. */
  price: string | null;
  /** Of a charge; "" otherwise. */
  lease_id: string;
}>;

/** A lease from its first grant to its end; `closed_at` 0: open. A reused id has another row. */
export type LeaseRow = Readonly<{
  /** The lease and the place where it was opened: a lease id may be used several times. */
  id: string;
  lease_id: string;
  user_id: number;
  token_id: number;
  relay_id: string;
  opened_position: number;
  /** Unix seconds. */
  opened_at: number;
  closed_at: number;
  /** Quota units: granted and not given back, and charged. */
  amount: number;
  spent: number;
}>;
/** What a lease was granted, or gave back (below 0), in quota units. */
export type LeaseMoveRow = Readonly<{
  user_id: number;
  position: number;
  at: number;
  lease_id: string;
  amount: number;
}>;

/** The account as of now, in quota units. */
export type AccountRow = Readonly<{ user_id: number; balance: number; used: number }>;
/** How many movements of each kind there are on each day (UTC, Unix seconds of its start). */
export type LedgerDayRow = Readonly<{ user_id: number; day: number; kind: string; count: number }>;

export const ledgerTables = {
  entries: tableOf<LedgerRow>()({
    name: 'entries',
    columns: {
      position: 'int8',
      event_id: 'text',
      user_id: 'int8',
      at: 'int8',
      kind: 'text',
      delta: 'int8',
      balance_after: 'int8',
      request_id: 'text',
      token_id: 'int8',
      model_name: 'text',
      channel_id: 'int8',
      reason_kind: 'text?',
      reason: 'text',
      reference: 'text',
      actor_kind: 'text',
      actor_id: 'text',
      price: 'text?',
      lease_id: 'text',
    },
    key: ['user_id', 'position'],
  }),
  leases: tableOf<LeaseRow>()({
    name: 'leases',
    columns: {
      id: 'text',
      lease_id: 'text',
      user_id: 'int8',
      token_id: 'int8',
      relay_id: 'text',
      opened_position: 'int8',
      opened_at: 'int8',
      closed_at: 'int8',
      amount: 'int8',
      spent: 'int8',
    },
    key: ['id'],
    writeIndexes: ['(lease_id) WHERE closed_at = 0'],
    indexes: ['(user_id, opened_at)'],
  }),
  leaseMoves: tableOf<LeaseMoveRow>()({
    name: 'lease_moves',
    columns: {
      user_id: 'int8',
      position: 'int8',
      at: 'int8',
      lease_id: 'text',
      amount: 'int8',
    },
    key: ['user_id', 'position'],
  }),
  accounts: tableOf<AccountRow>()({
    name: 'accounts',
    columns: { user_id: 'int8', balance: 'int8', used: 'int8' },
    key: ['user_id'],
  }),
  days: tableOf<LedgerDayRow>()({
    name: 'days',
    columns: { user_id: 'int8', day: 'int8', kind: 'text', count: 'int8' },
    key: ['user_id', 'day', 'kind'],
    counters: ['count'],
  }),
};
export type LedgerSchema = {
  'ledger.entries': LedgerRow;
  'ledger.accounts': AccountRow;
  'ledger.days': LedgerDayRow;
  'ledger.leases': LeaseRow;
};
