import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '../../infra/embedded/postgres/start-embedded-postgres.ts';
import { chat } from '../support/chat.ts';
import {
  addChannel,
  addToken,
  allLogs,
  ConsoleClient,
  rootUser,
  setUpSite,
} from '../support/console-client.ts';
import { inParallel } from '../support/in-parallel.ts';
import { eventually, type Product, removeData, startProduct } from '../support/product.ts';
import { silentLogger } from '../support/silent-logger.ts';
import { type StubProvider, startStubProvider } from '../support/stub-provider/server.ts';

let product: Product;
let provider: StubProvider;
let postgres: EmbeddedPostgres;
let folder: string;

beforeAll(async () => {
  provider = await startStubProvider();
  folder = mkdtempSync(join(tmpdir(), 'tollgate-empty-pg-'));
  postgres = await startEmbeddedPostgres({ dataDir: folder, logger: silentLogger });
  await postgres.createDatabase('fresh');
});
afterAll(async () => {
  await product?.stop();
  await postgres?.stop();
  await provider?.close();
  rmSync(folder, { recursive: true, force: true });
  if (product !== undefined) removeData(product);
});

/** Everything that the read side shows of this site, as the console requests it. */
const everythingShown = async (admin: ConsoleClient): Promise<Record<string, unknown>> => {
  const paths = [
    '/api/user/?p=1&page_size=100',
    '/api/token/?p=0&size=100',
    '/api/channel/?p=0&page_size=100',
    '/api/option/',
    '/api/log/?p=1&page_size=1000',
    '/api/log/stat',
    `/api/ledger/${admin.userId}?p=1&page_size=1000`,
    '/api/pricing',
  ];
  const shown: Record<string, unknown> = {};
  for (const path of paths) shown[path] = await admin.ok('GET', path);
  return shown;
};

test('on a different, empty PostgreSQL the read models are restored from the log row by row', async () => {
  product = await startProduct();
  const admin = await setUpSite(product.url);
  await addChannel(admin, provider.url);
  const token = await addToken(admin);
  await admin.ok('PUT', '/api/option/', { key: 'Notice', value: 'We moved.' });
  await inParallel({ count: 60, atOnce: 10 }, async (i) => {
    const answer = await chat(product.url, token.key, { stream: i % 2 === 0 });
    expect(answer.status).toBe(200);
  });
  await eventually(async () => expect(await allLogs(admin, 2)).toHaveLength(60));
  await product.stop();

  // Before and after are both read after a restart, so that leases and logins are at rest.
  product = await startProduct({ dataDir: product.dataDir });
  const before = new ConsoleClient(product.url);
  await before.login(rootUser.username, rootUser.password);
  const shownBefore = await everythingShown(before);
  await product.stop();

  product = await startProduct({
    dataDir: product.dataDir,
    env: { DATABASE_URL: postgres.url('fresh') },
  });
  const after = new ConsoleClient(product.url);
  await eventually(() => after.login(rootUser.username, rootUser.password));
  await eventually(async () => {
    const shownAfter = await everythingShown(after);
    expect(withoutMoments(shownAfter)).toEqual(withoutMoments(shownBefore));
  }, 30_000);
});

/** rpm and tpm describe the last minute, not the log. */
const withoutMoments = (shown: Record<string, unknown>): unknown =>
  JSON.parse(JSON.stringify(shown, (key, value) => (['rpm', 'tpm'].includes(key) ? 0 : value)));
