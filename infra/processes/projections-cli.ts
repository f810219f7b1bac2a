/*
 * `npm run projections -- list` and `npm run projections -- rebuild NAME`: calls a running site,
 * found by DATA_DIR/run.json or `--url=`, in the name of its super admin. A holder of SECRET_KEY
 * and writes to the log may do that: a session is opened for it, and ended at the end.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { ProjectionRow } from '../../projections/contract/projection.ts';
import { foundSecret, openKeys } from './open-keys.ts';
import { openLog } from './open-log.ts';
import { type CliSession, openCliSession } from './projections-cli-session.ts';
import { createRuntime } from './runtime.ts';

const runtime = createRuntime('projections-cli', 'tool');
const { config } = runtime;
const [action = 'list', name = ''] = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const givenUrl = process.argv.find((word) => word.startsWith('--url='))?.slice('--url='.length);

let session: CliSession | null = null;

const stopWith = async (message: string): Promise<never> => {
  process.stderr.write(`${message}\n`);
  await session?.end();
  process.exit(2);
};

const findSite = async (): Promise<Readonly<{ url: string; eventStoreUrl: string }>> => {
  const path = join(resolve(config.dataDir), 'run.json');
  const running = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {};
  const url = givenUrl ?? running.url;
  const eventStoreUrl = config.eventStoreUrl ?? running.eventStoreUrl;
  if (url === undefined || eventStoreUrl === undefined) {
    return stopWith(
      `no site runs on ${config.dataDir}; start it, or give --url= and EVENTSTORE_URL`,
    );
  }
  return { url, eventStoreUrl };
};

if (action !== 'list' && (action !== 'rebuild' || name === '')) {
  await stopWith('usage: npm run projections -- list | rebuild NAME [--url=http://…]');
}
const site = await findSite();
const { eventStore } = openLog(runtime, site.eventStoreUrl);
const secret = await foundSecret(runtime);
const { keyring } = await openKeys(runtime, { eventStore, secret, kind: null });
session = await openCliSession(runtime, { eventStore, keyring });
if (session === null) await stopWith('the site is not set up yet');
const headers = { ...session?.headers };

/** The site may not have read of the session yet. */
const untilSignedIn = async (): Promise<void> => {
  for (let waitedMs = 0; waitedMs < 10_000; waitedMs += 100) {
    const { status } = await fetch(`${site.url}/api/projections`, { headers });
    if (status !== 401) return;
    await pause(100);
  }
  await stopWith('the site does not take the session; is SECRET_KEY the one that it runs with?');
};

const ask = async <T>(method: string, path: string): Promise<T> => {
  const answer = await fetch(site.url + path, { method, headers });
  const body = (await answer.json()) as { success: boolean; message: string; data: T };
  return body.success ? body.data : stopWith(body.message);
};

const list = () => ask<ProjectionRow[]>('GET', '/api/projections');

const show = async (): Promise<void> => {
  const rows = await list();
  console.table(
    Object.fromEntries(
      rows.map((row) => [
        row.name,
        {
          state: row.state,
          position: row.position,
          'lag s': row.lag_seconds,
          'events/s': Math.round(row.events_per_second),
          error: row.error,
        },
      ]),
    ),
  );
};

const rebuild = async (): Promise<void> => {
  await ask('POST', `/api/projections/${encodeURIComponent(name)}/rebuild`);
  for (;;) {
    const row = (await list()).find((candidate) => candidate.name === name);
    if (row === undefined || row.state === 'failed') {
      await stopWith(row?.error ?? 'the projection is gone');
    }
    if (row?.state !== 'rebuilding') break;
    process.stderr.write(`\r${name}: ${Math.round((row.rebuild_progress ?? 0) * 100)} % `);
    await pause(250);
  }
  process.stderr.write(`\r${name}: rebuilt\n`);
};

await untilSignedIn();
await (action === 'rebuild' ? rebuild() : show());
await session?.end();
await eventStore.close();
process.exit(0);
