import { afterAll, beforeAll, expect, test } from 'vitest';
import { verify } from '../../infra/verify/verify.ts';
import { anAccountOpened, aRequestCharged } from '../../tests/support/account-events.ts';
import {
  type ReadSide,
  startReadSide,
  startTestPostgres,
  type TestPostgres,
} from '../../tests/support/read-side.ts';
import { createReadModels } from '../create-read-models.ts';
import { facets } from './facets.ts';

let postgres: TestPostgres;
let side: ReadSide;
let balance = 0;

const charge = async (requestId: string, occurredAt: string): Promise<void> => {
  const event = aRequestCharged({ leaseId: null, call: { requestId } });
  balance -= event.data.amount;
  const data = { ...event.data, balanceAfter: balance };
  await side.append('account-42', [{ ...event, data }, { occurredAt }]);
};
const prune = (time: string) => {
  const before = Date.parse(time) / 1_000;
  return side.append('site', [{ type: 'UsageLogPruned', data: { before } }, { occurredAt: time }]);
};
const left = async (): Promise<string[]> => {
  const text = 'SELECT request_id FROM usage_log.entries WHERE type = 2 ORDER BY id';
  return (await side.rows<{ request_id: string }>(text)).map(({ request_id }) => request_id);
};
const inDashboard = async (): Promise<number> => {
  const text = 'SELECT sum(count)::int8 AS n FROM usage_log.hours WHERE type IN (2, -2)';
  return (await side.rows<{ n: number }>(text))[0]?.n ?? 0;
};
/** Sums of calls by facet; all of them are to hold what the log still holds. */
const inFacets = async (): Promise<number[]> => {
  const text =
    'SELECT sum(count)::int8 AS n FROM usage_log.facet_hours WHERE type = 2 GROUP BY facet';
  return (await side.rows<{ n: number }>(text)).map(({ n }) => n);
};
const inMinutes = async (): Promise<number> => {
  const text =
    'SELECT coalesce(sum(count), 0)::int8 AS n FROM usage_log.group_minutes WHERE type = 2';
  return (await side.rows<{ n: number }>(text))[0]?.n ?? 0;
};
const everyFacet = (count: number): number[] => Object.keys(facets).map(() => count);
/** Everything of the usage log against the log of events, hour by hour. */
const breaks = async () => {
  const clock = () => new Date('2026-03-02T00:00:00.000Z');
  const readModels = createReadModels(side.database.db);
  const report = await verify({ eventStore: side.eventStore, readModels, clock });
  return report.breaks.filter(({ row }) => row?.startsWith('usage_log'));
};

beforeAll(async () => {
  postgres = await startTestPostgres();
  side = await startReadSide(postgres);
  await side.append('account-42', anAccountOpened());
  await charge('january', '2026-01-10T10:00:00.000Z');
  await charge('before-the-hour', '2026-03-01T09:59:59.000Z');
  await charge('before-the-cut', '2026-03-01T10:20:00.000Z');
  await charge('after-the-cut', '2026-03-01T10:40:00.000Z');
  await side.settle();
});
afterAll(async () => {
  await side.stop();
  await postgres.stop();
});

test('a cut within an hour takes what is older, and keeps log, sums and dashboard in step', async () => {
  await prune('2026-03-01T10:30:00.000Z');
  await side.settle();
  expect(await left()).toEqual(['after-the-cut']);
  expect(await inDashboard()).toBe(4);
  expect(await inFacets()).toEqual(everyFacet(1));
  expect(await inMinutes()).toBe(1);
  expect(await breaks()).toEqual([]);
});

test('a month that holds nothing else is dropped as a whole', async () => {
  const months = await side.rows<{ name: string }>(
    "SELECT relname AS name FROM pg_class WHERE relname LIKE 'entries_2026__' ORDER BY 1",
  );
  expect(months.map(({ name }) => name)).toEqual(['entries_202603']);
});

test('a charge that is settled late and is older than the cut counts in the dashboard only', async () => {
  await charge('late', '2026-03-01T10:10:00.000Z');
  await side.settle();
  expect(await left()).toEqual(['after-the-cut']);
  expect(await inDashboard()).toBe(5);
  expect(await inFacets()).toEqual(everyFacet(1));
  expect(await inMinutes()).toBe(1);
  expect(await breaks()).toEqual([]);
});

test('a second cut in the same hour adds to the first; an earlier one changes nothing', async () => {
  await charge('later', '2026-03-01T10:50:00.000Z');
  await prune('2026-03-01T10:45:00.000Z');
  await prune('2026-02-01T00:00:00.000Z');
  await side.settle();
  expect(await left()).toEqual(['later']);
  expect(await inDashboard()).toBe(6);
  expect(await inFacets()).toEqual(everyFacet(1));
  expect(await inMinutes()).toBe(1);
  expect(await breaks()).toEqual([]);
});

test('a cut within a minute leaves the rest of that minute', async () => {
  await charge('same-minute', '2026-03-01T10:50:40.000Z');
  await prune('2026-03-01T10:50:30.000Z');
  await side.settle();
  expect(await left()).toEqual(['same-minute']);
  expect(await inDashboard()).toBe(7);
  expect(await inFacets()).toEqual(everyFacet(1));
  expect(await inMinutes()).toBe(1);
  expect(await breaks()).toEqual([]);
});

test('what was cut stays out after a rebuild', async () => {
  await side.projections.rebuild('usage-log', () => {});
  expect(await left()).toEqual(['same-minute']);
  expect(await inDashboard()).toBe(7);
  expect(await inFacets()).toEqual(everyFacet(1));
  expect(await inMinutes()).toBe(1);
  expect(await breaks()).toEqual([]);
});
