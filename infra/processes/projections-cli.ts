/*
 * `npm run projections -- list` and `npm run projections -- rebuild NAME`: asks a running site,
 * found by DATA_DIR/run.json or `--url=`, in the name of its super admin. Whoever holds SECRET_KEY
 * and reads the log may do that: the session is sealed here.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fold } from '../../domain/shared/decider.ts';
import type { SiteEvent } from '../../domain/site/events.ts';
import { siteStreamId } from '../../domain/site/stream.ts';
import { userDecider } from '../../domain/user/decider.ts';
import type { UserEvent } from '../../domain/user/events.ts';
import { userStreamId } from '../../domain/user/stream.ts';
import type { ProjectionRow } from '../../projections/contract/projection.ts';
import type { EventStore } from '../ports/event-store.ts';
import { createVault } from '../vault/create-vault.ts';
import { layFoundation } from './foundation.ts';
import { foundSecret, openKeys } from './open-keys.ts';
import { openLog } from './open-log.ts';

const foundation = layFoundation('projections-cli', 'tool');
const { config, clock } = foundation;
const [action = 'list', name = ''] = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const givenUrl = process.argv.find((word) => word.startsWith('--url='))?.slice('--url='.length);

const stopWith = (message: string): never => {
  process.stderr.write(`${message}\n`);
  process.exit(2);
};

const findSite = (): Readonly<{ url: string; eventStoreUrl: string }> => {
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

const eventsOf = async <E extends SiteEvent | UserEvent>(store: EventStore, stream: string) => {
  const events: E[] = [];
  for await (const { event } of store.readStream<E>(stream)) events.push(event);
  return events;
};

/** The headers of a signed-in super admin. */
const signIn = async (eventStoreUrl: string): Promise<Record<string, string>> => {
  const { eventStore: store } = openLog(foundation, eventStoreUrl);
  try {
    const secret = await foundSecret(foundation);
    const { keyring } = await openKeys(foundation, { eventStore: store, secret, kind: null });
    const vault = createVault(keyring);
    const site = await eventsOf<SiteEvent>(store, siteStreamId);
    const begun = site.find((event) => event.type === 'SiteInitialised');
    if (begun?.type !== 'SiteInitialised') return stopWith('the site is not set up yet');
    const userId = begun.data.rootUserId;
    const user = fold(userDecider, await eventsOf<UserEvent>(store, userStreamId(userId)));
    const epoch = 'sessionEpoch' in user ? user.sessionEpoch : 0;
    const session = vault.sealSession({ userId, epoch, issuedAt: clock().getTime() });
    return {
      cookie: `session=${session}`,
      'new-api-user': String(userId),
      'accept-language': 'en',
    };
  } finally {
    await store.close();
  }
};

const site = findSite();
const headers = await signIn(site.eventStoreUrl);

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
    if (row === undefined || row.state === 'failed')
      stopWith(row?.error ?? 'the projection is gone');
    if (row?.state !== 'rebuilding') break;
    process.stderr.write(`\r${name}: ${Math.round((row.rebuild_progress ?? 0) * 100)} % `);
    await pause(250);
  }
  process.stderr.write(`\r${name}: rebuilt\n`);
};

if (action === 'rebuild' && name !== '') await rebuild();
else if (action === 'list') await show();
else stopWith('usage: npm run projections -- list | rebuild NAME [--url=http://…]');
process.exit(0);
