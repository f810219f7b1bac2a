import type { CompiledQuery } from 'kysely';
import { describe, expect, test } from 'vitest';
import type { AccountEvent } from '../../domain/account/events.ts';
import type { Recorded } from '../../domain/shared/event.ts';
import {
  anAccountOpened,
  aQuotaLeased,
  leaseId,
  userId,
} from '../../tests/support/account-examples.ts';
import { readOpenLeases } from './leases.ts';

const read = async (...events: readonly AccountEvent[]) => {
  const queries: Pick<CompiledQuery, 'sql' | 'parameters'>[] = [];
  const row = { id: `${leaseId}#10`, lease_id: leaseId, amount: 100, spent: 30 };
  const executeQuery = async ({ sql, parameters }: CompiledQuery) => {
    queries.push({ sql, parameters });
    return { rows: [row] };
  };
  const place = { db: { executeQuery }, schema: 'ledger' };
  const recorded = events.map((event) => ({ event }) as Recorded);
  return { open: await readOpenLeases(recorded, place as never), queries };
};

const returned: AccountEvent = {
  type: 'LeaseReturned',
  data: { userId, leaseId: 'relay-b.7.70', unspent: 5, closes: true },
};

describe('the open leases that a batch needs', () => {
  test('are read in one query, each id once', async () => {
    const { open, queries } = await read(aQuotaLeased(5), aQuotaLeased(6), returned);
    expect(queries).toEqual([
      {
        sql:
          'SELECT id, lease_id, amount, spent FROM "ledger"."leases" ' +
          'WHERE closed_at = 0 AND lease_id = ANY($1::text[])',
        parameters: [[leaseId, 'relay-b.7.70']],
      },
    ]);
    expect([...open]).toEqual([[leaseId, { id: `${leaseId}#10`, amount: 100, spent: 30 }]]);
  });
  test('are read where a batch names a single one', async () => {
    expect((await read(anAccountOpened, returned)).queries[0]?.parameters).toEqual([
      ['relay-b.7.70'],
    ]);
  });
  test('are none, and no query, where the batch names none', async () => {
    const { open, queries } = await read(anAccountOpened);
    expect([open.size, queries]).toEqual([0, []]);
  });
});
