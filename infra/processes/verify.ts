/*
 * `npm run verify`: walks the whole log of a running site and compares the read models with it.
 * Finds the site by EVENTSTORE_URL and DATABASE_URL, else by DATA_DIR/run.json. Ends with 1 when
 * something is broken and with 2 when there was nothing to walk. `--json` prints the report as it
 * is, `--alive=a,b` names running relays. With a parent process, reports to it instead.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createReadModels } from '../../projections/create-read-models.ts';
import type { VerifyProgress } from '../ports/verify.ts';
import { createDatabase } from '../postgres/create-database.ts';
import { verify } from '../verify/verify.ts';
import { openLog } from './open-log.ts';
import { readJournals } from './open-requests.ts';
import { createRuntime } from './runtime.ts';
import { reportText } from './verify-text.ts';

type Urls = Readonly<{ eventStoreUrl: string; databaseUrl: string | null }>;

const runtime = createRuntime('verify', 'tool');
const { config, clock } = runtime;
const dataDir = resolve(config.dataDir);
const options = process.argv.slice(2);
const asJson = options.includes('--json');
const named = options.find((option) => option.startsWith('--alive='))?.slice('--alive='.length);

const findSite = (): Urls | null => {
  const { eventStoreUrl, databaseUrl } = config;
  if (eventStoreUrl !== null && databaseUrl !== null) return { eventStoreUrl, databaseUrl };
  const path = join(dataDir, 'run.json');
  if (!existsSync(path)) return eventStoreUrl === null ? null : { eventStoreUrl, databaseUrl };
  const running = JSON.parse(readFileSync(path, 'utf8')) as Urls;
  return {
    eventStoreUrl: eventStoreUrl ?? running.eventStoreUrl,
    databaseUrl: databaseUrl ?? running.databaseUrl,
  };
};

const tell = (progress: VerifyProgress): void => {
  if (process.send !== undefined) {
    process.send({ kind: 'verify-progress', progress });
    return;
  }
  const share = Math.round(progress.share * 100);
  process.stderr.write(`${progress.phase}: ${progress.events} events, ${share} %\n`);
};

// The parent is gone: the report has no reader.
process.once('disconnect', () => process.exit());
const site = findSite();
if (site === null) {
  process.stderr.write(`no site runs on ${dataDir}; start it, or set EVENTSTORE_URL\n`);
  process.exit(2);
}
const { eventStore } = openLog(runtime, site.eventStoreUrl);
const database =
  site.databaseUrl === null
    ? null
    : createDatabase({ url: site.databaseUrl, applicationName: 'tollgate-verify' });
const journals = readJournals(dataDir);
const alive = (named ?? '').split(',').filter((relayId) => relayId !== '');
try {
  const report = await verify({
    eventStore,
    readModels: database === null ? null : createReadModels(database.db),
    clock,
    onProgress: tell,
    aliveRelays: new Set([...journals.relays, ...alive]),
    started: journals.started,
  });
  if (process.send !== undefined) {
    await new Promise((sent) => process.send?.({ kind: 'verify-report', report }, sent));
  } else {
    process.stdout.write(asJson ? `${JSON.stringify(report, null, 2)}\n` : reportText(report));
  }
  process.exitCode = report.breaks.length > 0 ? 1 : 0;
} catch (error) {
  process.stderr.write(`the site could not be verified: ${String(error)}\n`);
  process.exitCode = 2;
} finally {
  await eventStore.close();
  await database?.close();
  process.disconnect?.();
}
