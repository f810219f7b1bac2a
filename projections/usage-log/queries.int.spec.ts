import { afterAll, beforeAll, expect, test } from 'vitest';
import { aQuotaGranted, aRequestCharged } from '../../tests/support/account-events.ts';
import {
  type ReadSide,
  startReadSide,
  startTestPostgres,
  type TestPostgres,
} from '../../tests/support/read-side.ts';
import type { LogFilter } from './filter.ts';
import { countBefore, listEntries, sumRange } from './queries.ts';
import type { UsageLogRow, UsageLogSchema } from './table.ts';

const all: LogFilter = {
  type: 0,
  start: 0,
  end: 0,
  userId: 0,
  tokenIds: null,
  modelName: '',
  group: '',
  channel: 0,
};
const from = Date.parse('2026-01-30T20:00:00.000Z');
const models = ['gpt-4o', 'gpt-4o-mini', 'deepseek-chat'];

let postgres: TestPostgres;
let side: ReadSide;
let log: UsageLogRow[];
const db = () => side.database.db.withTables<UsageLogSchema>();

/** 900 calls, some eleven minutes apart: over a week, across a month, with gaps for some filters. */
beforeAll(async () => {
  postgres = await startTestPostgres();
  side = await startReadSide(postgres);
  for (let i = 0; i < 900; i += 1) {
    const occurredAt = new Date(from + i * 641_000).toISOString();
    const charged = aRequestCharged({
      userId: 40 + (i % 3),
      sequence: i,
      call: {
        requestId: `req-${i}`,
        model: models[i % 7] ?? 'rare-model',
        channelId: 1 + (i % 2),
        tokenId: i % 97 === 0 ? 90 : 8 + (i % 2),
        group: i % 5 === 0 ? 'vip' : 'default',
      },
    });
    await side.append('account-40', [i % 50 === 0 ? aQuotaGranted() : charged, { occurredAt }]);
  }
  await side.settle();
  log = await side.rows<UsageLogRow>(
    'SELECT * FROM usage_log.entries ORDER BY created_at DESC, id DESC',
  );
});
afterAll(async () => {
  await side.stop();
  await postgres.stop();
});

const lets = (filter: LogFilter, row: UsageLogRow): boolean =>
  (filter.type === 0 || row.type === filter.type) &&
  row.created_at >= filter.start &&
  (filter.end === 0 || row.created_at <= filter.end) &&
  (filter.userId === 0 || row.user_id === filter.userId) &&
  (filter.tokenIds === null || filter.tokenIds.includes(row.token_id)) &&
  (filter.modelName === '' || row.model_name.startsWith(filter.modelName.replace('%', ''))) &&
  (filter.group === '' || row.group === filter.group) &&
  (filter.channel === 0 || row.channel_id === filter.channel);

const sumsOf = (rows: readonly UsageLogRow[]) => ({
  count: rows.length,
  quota: rows.reduce((sum, { quota }) => sum + quota, 0),
  tokens: rows.reduce((sum, row) => sum + row.prompt_tokens + row.completion_tokens, 0),
});

const second = Math.floor(from / 1000);
const filters: readonly [string, Partial<LogFilter>][] = [
  ['everything', {}],
  ['one type', { type: 2 }],
  ['grants', { type: 1, userId: 42 }],
  ['one user', { userId: 41 }],
  ['charges of one user', { userId: 40, type: 2 }],
  ['a rare token', { tokenIds: [90] }],
  ['two tokens of one name', { tokenIds: [8, 90] }],
  ['a name that no token has', { tokenIds: [] }],
  ['two tokens and a model', { tokenIds: [8, 90], modelName: 'deepseek-chat' }],
  ['a pattern of models', { modelName: 'gpt-4o%' }],
  ['a group on a channel', { group: 'vip', channel: 1 }],
  ['own calls of a pattern of models', { userId: 41, modelName: 'gpt-4o%' }],
  ['own calls by token', { userId: 40, tokenIds: [8] }],
  ['own calls by several tokens', { userId: 40, tokenIds: [9, 90] }],
  ['a model on a channel', { channel: 2, modelName: 'deepseek-chat', start: second + 90_001 }],
  ['a range that cuts two hours', { start: second + 5_000, end: second + 200_001 }],
  ['a range that cuts little off', { start: second + 18_700, end: second + 110_900, channel: 1 }],
  ['a range that cuts much off', { start: second + 21_000, end: second + 108_600, type: 2 }],
  ['most of an hour, to its end', { start: second + 7_900, end: second + 10_799 }],
  ['most of an hour, from its start', { start: second + 7_200, end: second + 10_100, userId: 41 }],
  ['a range within an hour', { start: second + 3_700, end: second + 5_200 }],
  ['an open range of one user', { start: second + 300_007, userId: 40 }],
  ['an unknown user', { userId: -1 }],
];

test('all entries are in the log, in the partitions of their months', async () => {
  expect(log).toHaveLength(900);
  const partitions = await side.rows<{ name: string }>(
    "SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'usage_log.entries'::regclass",
  );
  expect(partitions.map(({ name }) => name).sort()).toEqual([
    'usage_log.entries_202601',
    'usage_log.entries_202602',
  ]);
});

test.each(filters)('pages and sums of %s are those of the entries', async (_, changes) => {
  const filter = { ...all, ...changes };
  const expected = log.filter((row) => lets(filter, row));
  for (const pageSize of [7, 10, 100]) {
    const pages = Math.ceil(expected.length / pageSize);
    for (const page of new Set([1, 2, Math.ceil(pages / 2), pages, pages + 1])) {
      if (page < 1) continue;
      const { rows, total } = await listEntries(db(), filter, { page, pageSize });
      expect(total).toBe(expected.length);
      expect(rows.map(({ id }) => id)).toEqual(
        expected.slice((page - 1) * pageSize, page * pageSize).map(({ id }) => id),
      );
    }
  }
  expect(await sumRange(db(), filter)).toEqual(sumsOf(expected));
});

/** Whole numbers below `limit` in a pseudorandom order that is the same each time. */
const seeded = (seed: number) => {
  let state = seed;
  return (limit: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
};

/** Ranges of all lengths; every third begins or ends on a border of hours or minutes. */
const ranges = (count: number): readonly Pick<LogFilter, 'start' | 'end'>[] => {
  const next = seeded(count);
  return Array.from({ length: count }, (_, i) => {
    const start = second + next(500_000);
    const unit = [1, 60, 3_600][i % 3] ?? 1;
    const first = i % 2 === 0 ? start : Math.ceil(start / unit) * unit;
    const end = first + next([40, 4_000, 90_000, 300_000][i % 4] ?? 1);
    return { start: first, end: i % 2 === 0 ? Math.ceil(end / unit) * unit - 1 : end };
  });
};

/** Totals and first pages of many ranges, against the entries one by one. */
const expectRangesToHold = async (held: readonly UsageLogRow[]): Promise<void> => {
  const asked: readonly Partial<LogFilter>[] = [{}, { group: 'vip' }, { type: 2 }, { userId: 41 }];
  for (const [i, range] of ranges(120).entries()) {
    const filter = { ...all, ...asked[i % asked.length], ...range };
    const expected = held.filter((row) => lets(filter, row));
    expect(await sumRange(db(), filter)).toEqual(sumsOf(expected));
    const { rows, total } = await listEntries(db(), filter, { page: 2, pageSize: 10 });
    expect(total).toBe(expected.length);
    expect(rows.map(({ id }) => id)).toEqual(expected.slice(10, 20).map(({ id }) => id));
  }
};

test('ranges of every length and with every end hold what the entries hold', () =>
  expectRangesToHold(log));

test('what a cut takes out is counted exactly, also by a cut before all time', async () => {
  const charges = log.filter(({ type }) => type === 2 || type === 5);
  for (const before of [0, 1, second, second + 200_001, 4_000_000_000]) {
    const expected = charges.filter(({ created_at }) => created_at < before).length;
    expect(await countBefore(db(), before)).toBe(expected);
  }
});

test('after a cut within a minute, ranges still hold what the entries hold', async () => {
  const before = second + 150_030;
  await side.append('site', { type: 'UsageLogPruned', data: { before } });
  await side.settle();
  const kept = log.filter((row) => row.created_at >= before || ![2, 5].includes(row.type));
  expect(kept.length).toBeLessThan(log.length);
  await expectRangesToHold(kept);
});
