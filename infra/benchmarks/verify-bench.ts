/*
 * `npm run bench verify [events …]`: verify over logs of these sizes, and the read models made from
 * them, in a separate process over the embedded engines. Bars: 30,000 events for each second of
 * CPU, 500 MB. Prints a table and writes `bench-results/verify.json`.
 */
import { fork } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { createProjections } from '../../projections/create-projections.ts';
import { createReadModels } from '../../projections/create-read-models.ts';
import { testReadSessions } from '../../tests/support/sessions.ts';
import { createDatabase } from '../postgres/create-database.ts';
import { entryPath } from '../processes/entry-paths.ts';
import { startLedger } from './ledger-engines.ts';
import { openProfiles, profilerEnv } from './profile/profiler.ts';
import { writeResult } from './report.ts';
import type { VerifyFigures } from './verify-child.ts';
import { createVerifyLog } from './verify-log.ts';

const people = 300;
const asked = process.argv.slice(2).map(Number);
const sizes = asked.length > 0 ? asked : [100_000, 400_000];
const flags = ['--enable-source-maps', '--min-semi-space-size=32', '--max-semi-space-size=32'];

const run = (eventStoreUrl: string, databaseUrl: string): Promise<VerifyFigures> =>
  new Promise((resolve, reject) => {
    const child = fork(entryPath('infra/benchmarks/verify-child'), [eventStoreUrl, databaseUrl], {
      env: { ...process.env, ...profilerEnv() },
      execArgv: flags,
    });
    child.once('message', (figures) => resolve(figures as VerifyFigures));
    child.once('exit', (code) => reject(new Error(`verify ended with ${code}`)));
  });

openProfiles();
const ledger = await startLedger();
const { eventStore, bus, logger } = ledger.shared;
try {
  await ledger.postgres.createDatabase('rows');
  const databaseUrl = ledger.postgres.url('rows');
  const database = createDatabase({ url: databaseUrl, applicationName: 'bench' });
  const projections = createProjections({
    ...ledger.shared,
    db: database.db,
    vault: { personalSeal: () => ({ unseal: () => '' }) } as never,
    ...testReadSessions(bus),
    logger,
    metrics: ledger.metrics,
    settings: {},
  });
  await projections.start();
  const log = createVerifyLog(eventStore, people);
  const { checkpoints } = createReadModels(database.db);
  const isBehind = async (): Promise<boolean> => {
    const head = (await eventStore.head()) ?? 0n;
    return [...(await checkpoints()).values()].some((position) => (position ?? -1n) < head);
  };
  const results: VerifyFigures[] = [];
  for (const size of sizes) {
    await log.fill(size);
    while (await isBehind()) await sleep(500);
    results.push(await run(ledger.url, databaseUrl));
  }
  console.table(
    results.map(({ cpuSeconds, wallSeconds, megabytes, ...counts }) => ({
      ...counts,
      'events/CPU s': Math.round(counts.events / cpuSeconds),
      'events/s': Math.round(counts.events / wallSeconds),
      'peak MB': Math.round(megabytes),
    })),
  );
  writeResult('verify', { results });
  await projections.stop();
  await database.close();
} finally {
  await ledger.stop();
}
process.exit(0);
