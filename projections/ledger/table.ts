import type { LedgerKind } from '../contract/ledger.ts';
import { tableOf } from '../runtime/table.ts';

export type LedgerRow = Readonly<{
  /** Place in the log of the event that moved the balance. */
  position: number;
  user_id: number;
  /** Unix seconds. */
  at: number;
  kind: LedgerKind;
  /** Quota units. */
  delta: number;
  balance_after: number;
  request_id: string;
  token_id: number;
  token_name: string;
  model_name: string;
  channel_id: number;
  reason: string;
  reference: string;
  actor_kind: string;
  actor_id: string;
  /** JSON text of usage and quote of a charge. */
  price: string | null;
}>;

/** The account as it stands, in quota units. */
export type AccountRow = Readonly<{ user_id: number; balance: number; used: number }>;
/** How many movements of each kind there are on each day (UTC, Unix seconds of its start). */
export type LedgerDayRow = Readonly<{ user_id: number; day: number; kind: string; count: number }>;

export const ledgerTables = {
  entries: tableOf<LedgerRow>()({
    name: 'entries',
    columns: {
      position: 'int8',
      user_id: 'int8',
      at: 'int8',
      kind: 'text',
      delta: 'int8',
      balance_after: 'int8',
      request_id: 'text',
      token_id: 'int8',
      token_name: 'text',
      model_name: 'text',
      channel_id: 'int8',
      reason: 'text',
      reference: 'text',
      actor_kind: 'text',
      actor_id: 'text',
      price: 'text?',
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
};
