/*
 * `npm run bench log [rows …]`: pages of the usage log with their totals, at 1 and at 10 million
 * rows by default. Prints a table and writes `bench-results/log.json`.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CompiledQuery } from 'kysely';
import type { LogFilter } from '../../projections/usage-log/filter.ts';
import { listEntries } from '../../projections/usage-log/queries.ts';
import type { UsageLogSchema } from '../../projections/usage-log/table.ts';
import { silentLogger } from '../../tests/support/silent-logger.ts';
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '../embedded/postgres/start-embedded-postgres.ts';
import { createDatabase } from '../postgres/create-database.ts';
import { cpuOfTree, spent } from './cpu.ts';
import { fillLog, logSeconds, logStart } from './log-rows.ts';
import { writeResult } from './report.ts';

/** Sorts in memory while the tables are filled. */
const generous = '&options=-c%20work_mem%3D192MB%20-c%20maintenance_work_mem%3D256MB';
const pageSize = 20;
/** All pages are read in each of them: a bad moment of the machine is that of one round alone. */
const rounds = 5;
const samples = 160;
const cpuSamples = 40;
const everything: LogFilter = {
  type: 0,
  start: 0,
  end: 0,
  userId: 0,
  tokenIds: null,
  modelName: '',
  group: '',
  channel: 0,
};
const hundredTokens = Array.from({ length: 100 }, (_, nth) => 2 + nth * 6);
const day = 86_400;
const lastDays = (days: number): Partial<LogFilter> => ({
  start: logStart + logSeconds - days * day + 1_234,
  end: logStart + logSeconds - 777,
});
/** Where sums by the hour help least: both ends lie in the middle of an hour. */
const halfHours = {
  start: logStart + logSeconds - day + 1_790,
  end: logStart + logSeconds - 1_790,
};
const filters: Readonly<Record<string, Partial<LogFilter>>> = {
  everything: {},
  charges: { type: 2 },
  errors: { type: 5 },
  'own log, busiest user': { userId: 1 },
  'own log, quiet user': { userId: 290 },
  'own log, one model': { userId: 1, modelName: 'gpt-8' },
  'own log, one token': { userId: 120, tokenIds: [241] },
  'a user': { userId: 120 },
  'a token': { tokenIds: [241] },
  'a hundred tokens of one name': { tokenIds: hundredTokens },
  'a model': { modelName: 'claude-5' },
  'models by pattern': { modelName: 'gpt%' },
  'a group': { group: 'vip' },
  'a channel': { channel: 3 },
  'a channel and a model': { channel: 6, modelName: 'claude-5' },
  'a user and models': { userId: 120, modelName: 'gpt%', type: 2 },
  'a group on a channel': { group: 'vip', channel: 3 },
  'one day, ends within hours': lastDays(1),
  'one day, half hours': halfHours,
  'one day of a group': { ...halfHours, group: 'default' },
  'one day, busiest user': { ...halfHours, userId: 1 },
  'one day, busiest model': { ...halfHours, modelName: 'claude-9' },
  'one day, models by pattern': { ...halfHours, modelName: 'gpt%' },
  'a week of a model': { ...lastDays(7), modelName: 'gpt-8' },
  'a week of errors on a channel': { ...lastDays(7), type: 5, channel: 3 },
  'ten days of a user': { ...lastDays(10), userId: 120 },
};

/** Milliseconds; `p99` is the median of the rounds'. `cpu` of one page, this process and PostgreSQL, which busy machines do not blur. */
type Figure = Readonly<{ p50: number; p99: number; cpu: number; total: number }>;
type Figures = Readonly<Record<string, Figure>>;

/** Nearest rank. */
const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.ceil(sorted.length * share) - 1] ?? 0;

type Log = ReturnType<typeof createDatabase<UsageLogSchema>>;

const fill = async (postgres: EmbeddedPostgres, count: number): Promise<Log> => {
  const name = `log_${count}`;
  await postgres.createDatabase(name);
  const options = { url: postgres.url(name), applicationName: 'bench', synchronousCommit: false };
  const filling = createDatabase({ ...options, url: `${options.url}${generous}` });
  const begun = performance.now();
  await fillLog(filling.db, count);
  // What the filling left to be written would be written while pages are read.
  await filling.db.executeQuery(CompiledQuery.raw('CHECKPOINT'));
  await filling.close();
  console.log(`${count} rows in ${Math.round((performance.now() - begun) / 1_000)} s`);
  return createDatabase<UsageLogSchema>(options);
};

/** CPU of one page; readings of all processes cost more than a page, so many share them. */
const cpuOf = async ({ db }: Log, filter: LogFilter, page: number): Promise<number> => {
  const before = cpuOfTree(process.pid);
  for (let sample = 0; sample < cpuSamples; sample += 1) {
    await listEntries(db, filter, { page, pageSize });
  }
  return spent(before, cpuOfTree(process.pid)) / cpuSamples / 1_000;
};

type Page = Readonly<{
  name: string;
  filter: LogFilter;
  /** Of each log. */
  totals: readonly number[];
  numbers: readonly number[];
}>;

const pagesOf = async (logs: readonly Log[]): Promise<readonly Page[]> => {
  const pages: Page[] = [];
  for (const [filterName, changes] of Object.entries(filters)) {
    const filter = { ...everything, ...changes };
    const totals: number[] = [];
    for (const { db } of logs) {
      totals.push((await listEntries(db, filter, { page: 1, pageSize })).total);
    }
    const lasts = totals.map((total) => Math.max(1, Math.ceil(total / pageSize)));
    const places = {
      first: lasts.map(() => 1),
      middle: lasts.map((last) => Math.ceil(last / 2)),
      last: lasts,
    };
    for (const [place, numbers] of Object.entries(places)) {
      pages.push({ name: `${filterName}, ${place} page`, filter, totals, numbers });
    }
  }
  return pages;
};

/** One page of each log in turn, so that what else the machine does hits all sizes alike. */
const readPage = async (
  logs: readonly Log[],
  { filter, numbers }: Page,
): Promise<readonly number[][]> => {
  const times = logs.map((): number[] => []);
  for (let sample = -3; sample < samples; sample += 1) {
    for (const [i, { db }] of logs.entries()) {
      const start = performance.now();
      await listEntries(db, filter, { page: numbers[i] ?? 1, pageSize });
      if (sample >= 0) times[i]?.push(performance.now() - start);
    }
  }
  return times.map((list) => list.sort((a, b) => a - b));
};

/** By page and log: the p50 and p99 of each round. */
type Readings = readonly (readonly Readonly<{ p50: number[]; p99: number[] }>[])[];

const readAll = async (logs: readonly Log[], pages: readonly Page[]): Promise<Readings> => {
  const readings = pages.map(() => logs.map(() => ({ p50: [] as number[], p99: [] as number[] })));
  for (let round = 0; round < rounds; round += 1) {
    for (const [at, page] of pages.entries()) {
      for (const [i, times] of (await readPage(logs, page)).entries()) {
        readings[at]?.[i]?.p50.push(percentile(times, 0.5));
        readings[at]?.[i]?.p99.push(percentile(times, 0.99));
      }
    }
    console.log(`round ${round + 1} of ${rounds} read`);
  }
  return readings;
};

const middleOf = (values: readonly number[] = []): number =>
  percentile(
    [...values].sort((a, b) => a - b),
    0.5,
  );

const measure = async (logs: readonly Log[]): Promise<readonly Figures[]> => {
  const pages = await pagesOf(logs);
  const readings = await readAll(logs, pages);
  const figures = logs.map((): Record<string, Figure> => ({}));
  for (const [at, page] of pages.entries()) {
    for (const [i, log] of logs.entries()) {
      const own = figures[i];
      if (own === undefined) continue;
      const reading = readings[at]?.[i];
      own[page.name] = {
        p50: middleOf(reading?.p50),
        p99: middleOf(reading?.p99),
        cpu: await cpuOf(log, page.filter, page.numbers[i] ?? 1),
        total: page.totals[i] ?? 0,
      };
    }
  }
  return figures;
};

const asked = process.argv.slice(2).map(Number);
const sizes = asked.length > 0 ? asked : [1_000_000, 10_000_000];
const folder = mkdtempSync(join(tmpdir(), 'tollgate-bench-'));
const postgres = await startEmbeddedPostgres({
  dataDir: join(folder, 'pg'),
  logger: silentLogger,
});
try {
  const logs: Log[] = [];
  for (const count of sizes) logs.push(await fill(postgres, count));
  const results = await measure(logs);
  for (const { close } of logs) await close();
  for (const figures of results) {
    const base = results[0] ?? figures;
    const rows = Object.entries(figures).map(([name, { p50, p99, cpu, total }]) => [
      name,
      {
        total,
        'p50 ms': p50.toFixed(1),
        'p99 ms': p99.toFixed(1),
        'p50 ratio': (p50 / (base[name]?.p50 ?? p50)).toFixed(2),
        'p99 ratio': (p99 / (base[name]?.p99 ?? p99)).toFixed(2),
        'CPU ms': cpu.toFixed(2),
        'CPU ratio': (cpu / (base[name]?.cpu ?? cpu)).toFixed(2),
      },
    ]);
    console.table(Object.fromEntries(rows));
  }
  writeResult('log', { sizes, results });
} finally {
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
}
