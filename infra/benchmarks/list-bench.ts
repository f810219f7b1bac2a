/*
 * `npm run bench:lists`: every list and search call over 100,000 users, 100,000 tokens, 1,000
 * channels and 1,000,000 codes. Prints a table, writes `bench-results/lists.json`, and ends with 1
 * when the p99 of a call is above 100 ms.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger } from '../../tests/support/silent-logger.ts';
import { startEmbeddedPostgres } from '../embedded/postgres/start-embedded-postgres.ts';
import { createDatabase } from '../postgres/create-database.ts';
import { type ListCall, listCases } from './list-cases.ts';
import { counts, fillLists } from './list-rows.ts';

const samples = 100;
/** Only the calls whose name has this in it. */
const [wanted = ''] = process.argv.slice(2);
const warmUps = 3;
/** Milliseconds. */
const bar = 100;

type Figure = Readonly<{ rows: number; p50: number; p99: number }>;

const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;

const measure = async (call: ListCall): Promise<Figure> => {
  const times: number[] = [];
  let rows = 0;
  for (let sample = -warmUps; sample < samples; sample += 1) {
    const start = performance.now();
    rows = await call();
    if (sample >= 0) times.push(performance.now() - start);
  }
  times.sort((a, b) => a - b);
  return { rows, p50: percentile(times, 0.5), p99: percentile(times, 0.99) };
};

const folder = mkdtempSync(join(tmpdir(), 'tollgate-bench-'));
const postgres = await startEmbeddedPostgres({ dataDir: join(folder, 'pg'), logger: silentLogger });
const figures: Record<string, Figure> = {};
try {
  await postgres.createDatabase('lists');
  const database = createDatabase({
    url: postgres.url('lists'),
    applicationName: 'bench',
    synchronousCommit: false,
  });
  await fillLists(database.db);
  for (const [name, call] of Object.entries(await listCases(database.db))) {
    if (!name.includes(wanted)) continue;
    const figure = await measure(call);
    figures[name] = figure;
    console.log(`${name}: ${figure.p50.toFixed(1)} / ${figure.p99.toFixed(1)} ms`);
  }
  await database.close();
} finally {
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
}

console.table(
  Object.fromEntries(
    Object.entries(figures).map(([name, { rows, p50, p99 }]) => [
      name,
      { rows, 'p50 ms': p50.toFixed(1), 'p99 ms': p99.toFixed(1), over: p99 > bar ? '!' : '' },
    ]),
  ),
);
mkdirSync('bench-results', { recursive: true });
const at = new Date().toISOString();
writeFileSync(
  'bench-results/lists.json',
  JSON.stringify({ at, counts, samples, figures }, null, 2),
);
const missed = Object.entries(figures).filter(([, { p99 }]) => p99 > bar);
console.log(
  missed.length === 0 ? `every call is within ${bar} ms` : `${missed.length} above ${bar} ms`,
);
process.exitCode = missed.length === 0 ? 0 : 1;
