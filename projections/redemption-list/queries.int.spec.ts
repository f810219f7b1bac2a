import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RedemptionEvent } from '../../domain/redemption/events.ts';
import { redemptionStreamId } from '../../domain/redemption/stream.ts';
import {
  type ReadSide,
  startReadSide,
  startTestPostgres,
  type TestPostgres,
} from '../../tests/support/read-side.ts';
import { aRedemptionCreated } from '../../tests/support/redemption-examples.ts';
import { listRedemptions } from './queries.ts';
import type { RedemptionListSchema } from './table.ts';

let postgres: TestPostgres;
let side: ReadSide;

const append = (id: number, event: RedemptionEvent) => side.append(redemptionStreamId(id), event);
const create = (id: number, name: string) => {
  const event = aRedemptionCreated();
  return append(id, { ...event, data: { ...event.data, redemptionId: id, name } });
};
const found = async (keyword: string, page = 1, pageSize = 10) => {
  const db = side.database.db.withTables<RedemptionListSchema>();
  const { rows, total } = await listRedemptions(db, { keyword, page, pageSize });
  return { ids: rows.map(({ id }) => id), total };
};

beforeAll(async () => {
  postgres = await startTestPostgres();
  side = await startReadSide(postgres);
  for (const id of [1, 2, 999, 1_000, 2_500, 70_000]) await create(id, `summer ${id}`);
  await create(80_000, '100 for you');
  await side.settle();
});
afterAll(async () => {
  await side.stop();
  await postgres.stop();
});

test('pages run on over ids that lie far apart', async () => {
  expect(await found('', 1, 3)).toEqual({ ids: [80_000, 70_000, 2_500], total: 7 });
  expect(await found('', 2, 3)).toEqual({ ids: [1_000, 999, 2], total: 7 });
  expect(await found('', 3, 3)).toEqual({ ids: [1], total: 7 });
  expect(await found('', 4, 3)).toEqual({ ids: [], total: 7 });
});

test('a keyword is the beginning of a name, or an id', async () => {
  expect(await found('summer', 2, 4)).toEqual({ ids: [2, 1], total: 6 });
  expect(await found('999')).toEqual({ ids: [999], total: 1 });
  expect(await found('100')).toEqual({ ids: [80_000], total: 1 });
  expect(await found('1000')).toEqual({ ids: [1_000], total: 1 });
  expect(await found('%')).toEqual({ ids: [], total: 0 });
});

test('a code that is renamed or deleted is no longer found under its old name', async () => {
  await append(2, {
    type: 'RedemptionChanged',
    data: {
      redemptionId: 2,
      name: 'winter',
      quota: 5,
      previous: { name: 'summer 2', quota: 100_000 },
      changedBy: 1,
    },
  });
  await append(2_500, { type: 'RedemptionDeleted', data: { redemptionId: 2_500 } });
  await side.settle();
  expect(await found('summer')).toEqual({ ids: [70_000, 1_000, 999, 1], total: 4 });
  expect(await found('winter')).toEqual({ ids: [2], total: 1 });
  expect((await found('')).total).toBe(6);
});
