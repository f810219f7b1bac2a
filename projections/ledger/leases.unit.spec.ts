import { describe, expect, test } from 'vitest';
import type { AccountEvent } from '../../domain/account/events.ts';
import type { Recorded } from '../../domain/shared/event.ts';
import {
  anAccountOpened,
  aQuotaLeased,
  leaseId,
  userId,
} from '../../tests/support/account-examples.ts';
import type { Selection } from '../runtime/row-store.ts';
import { readOpenLeases } from './leases.ts';
import { ledgerTables } from './table.ts';

const read = async (...events: readonly AccountEvent[]) => {
  const selections: Selection[] = [];
  const row = { id: `${leaseId}#10`, lease_id: leaseId, amount: 100, spent: 30 };
  const select = async (_schema: string, selection: Selection) => {
    selections.push(selection);
    return [row];
  };
  const place = { rows: { select }, schema: 'ledger' };
  const recorded = events.map((event) => ({ event }) as Recorded);
  return { open: await readOpenLeases(recorded, place as never), selections };
};

const returned: AccountEvent = {
  type: 'LeaseReturned',
  data: { userId, leaseId: 'relay-b.7.70', unspent: 5, closes: true },
};

describe('the open leases that a batch needs', () => {
  test('are read in one query, each id once', async () => {
    const { open, selections } = await read(aQuotaLeased(5), aQuotaLeased(6), returned);
    const values = [leaseId, 'relay-b.7.70'];
    const and = { closed_at: 0 };
    const selection = { table: ledgerTables.leases, column: 'lease_id', values, and };
    expect(selections).toEqual([selection]);
    expect([...open]).toEqual([[leaseId, { id: `${leaseId}#10`, amount: 100, spent: 30 }]]);
  });
  test('are read where a batch names a single one', async () => {
    const { selections } = await read(anAccountOpened, returned);
    expect(selections[0]?.values).toEqual(['relay-b.7.70']);
  });
  test('are none, and no query, where the batch names none', async () => {
    const { open, selections } = await read(anAccountOpened);
    expect([open.size, selections]).toEqual([0, []]);
  });
});
