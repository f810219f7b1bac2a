/*
 * `npm run scavenge`: makes the stores of a running site remove what was deleted. The event store
 * removes the events of ended streams, the personal keys of deleted users among them; the read
 * models lose the bytes of rows that were blanked; of an embedded PostgreSQL the write-ahead log is
 * overwritten. Finds the site by EVENTSTORE_URL and DATABASE_URL, else by DATA_DIR/run.json.
 * `--full` also rewrites the tables of the embedded event store: nothing is appended meanwhile.
 * Ends with 1 when a part has to be done again, and with 2 when there was no site.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { personalTables } from '../../projections/personal-tables.ts';
import { scavengeEventStore } from '../event-store/scavenge.ts';
import { renewWriteAheadLog, rewriteTables } from '../postgres/reclaim.ts';
import { embeddedDatabases } from './engines.ts';
import { createRuntime } from './runtime.ts';

type Site = Readonly<{ eventStoreUrl: string | null; databaseUrl: string | null }>;

const { config } = createRuntime('scavenge', 'tool');
const isFull = process.argv.includes('--full');
let isIncomplete = false;

const running = (): Site => {
  const path = join(resolve(config.dataDir), 'run.json');
  return existsSync(path)
    ? (JSON.parse(readFileSync(path, 'utf8')) as Site)
    : { eventStoreUrl: null, databaseUrl: null };
};

const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

const part = async (name: string, work: () => Promise<string>): Promise<void> => {
  try {
    say(`${name}: ${await work()}`);
  } catch (error) {
    isIncomplete = true;
    say(`${name}: not done, ${error instanceof Error ? error.message : String(error)}`);
  }
};

const rewritten = async (url: string, tables: readonly string[]): Promise<string> => {
  const { done, busy } = await rewriteTables(url, tables);
  if (busy.length > 0) isIncomplete = true;
  const left = busy.length === 0 ? '' : `; in use, so do it again: ${busy.join(', ')}`;
  return `${done.length} tables rewritten${left}`;
};

const found = running();
const eventStoreUrl = config.eventStoreUrl ?? found.eventStoreUrl;
const databaseUrl = config.databaseUrl ?? found.databaseUrl;
if (eventStoreUrl === null && databaseUrl === null) {
  process.stderr.write(`no site runs on ${config.dataDir}; start it, or set EVENTSTORE_URL\n`);
  process.exit(2);
}
const hasOwnStore = config.eventStoreUrl === null && found.eventStoreUrl !== null;
const ownDatabase = config.databaseUrl === null ? found.databaseUrl : null;

if (eventStoreUrl !== null) {
  await part('event store', async () => {
    const { scavengeId, result } = await scavengeEventStore(eventStoreUrl);
    if (result !== 'Success') isIncomplete = true;
    return `scavenge ${scavengeId} ended with ${result}`;
  });
}
if (isFull && hasOwnStore && ownDatabase !== null) {
  const url = new URL(ownDatabase);
  url.pathname = `/${embeddedDatabases.eventStore}`;
  await part('event store tables', () => rewritten(url.toString(), ['events', 'streams']));
}
if (databaseUrl !== null) {
  await part('read models', () => rewritten(databaseUrl, personalTables));
}
if (ownDatabase !== null) {
  await part('write-ahead log', async () => {
    return `${await renewWriteAheadLog(ownDatabase)} segments overwritten`;
  });
}
process.exitCode = isIncomplete ? 1 : 0;
