import { randomUUID } from 'node:crypto';
import { binaryEvent, type EventData, jsonEvent } from '@eventstore/db-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { VerifyReport } from '../../infra/ports/verify.ts';
import { addUp, openLog } from '../support/books.ts';
import { chat } from '../support/chat.ts';
import {
  addChannel,
  addToken,
  ConsoleClient,
  rootUser,
  setUpSite,
  type TokenRow,
} from '../support/console-client.ts';
import { aMetadata } from '../support/metadata-examples.ts';
import { eventually, type Product, removeData, startProduct } from '../support/product.ts';
import { openRawLog } from '../support/raw-log.ts';
import { runTool } from '../support/run-tool.ts';
import { type StubProvider, startStubProvider } from '../support/stub-provider/server.ts';

/*
 * A slip of an operator, or a program that shares the event store, appends unreadable events, to
 * streams of every kind. The site continues, reports it, and verify names each of them.
 */

let product: Product;
let provider: StubProvider;
let admin: ConsoleClient;
let token: TokenRow;
const appended: { id: string; stream: string }[] = [];

const metadata = { ...aMetadata(), schemaVersion: 1 };
const json = (type: string, data: object, about: object = metadata): EventData =>
  jsonEvent({ id: randomUUID(), type, data: { ...data }, metadata: { ...about } });

const malformed = (rootId: number): Readonly<Record<string, readonly EventData[]>> => ({
  site: [
    json('OptionChanged', { key: 7 }),
    json('SomethingElse', {}),
    binaryEvent({ id: randomUUID(), type: 'OptionReset', data: Buffer.from([0, 1, 2]) }),
  ],
  [`account-${rootId}`]: [
    json('QuotaGranted', { userId: rootId, amount: 'plenty', balanceAfter: 1 }),
    json('RequestCharged', { userId: rootId, call: {}, usage: {}, quote: { kind: 'gift' } }),
  ],
  [`user-${rootId}`]: [
    json('UserPromoted', { userId: 'me', role: 1.5, previous: 1, sessionEpoch: 0 }),
    json('UserLoggedIn', { userId: rootId, method: 'password' }, { actor: 'me' }),
  ],
  'channel-1': [json('ChannelCreated', { channelId: 1, sealedKey: 'x', settings: {}, status: 1 })],
  'ids-token': [json('IdsReserved', { category: 'token', from: 'one' })],
  'another-program': [json('Happened', { n: 1 }), json('UserEnabled', {}, {})],
});

beforeAll(async () => {
  provider = await startStubProvider();
  product = await startProduct();
  admin = await setUpSite(product.url);
  await addChannel(admin, provider.url);
  token = await addToken(admin);
  expect((await chat(product.url, token.key, {})).status).toBe(200);
  const client = openRawLog(product.dataDir);
  for (const [stream, events] of Object.entries(malformed(admin.userId))) {
    await client.appendToStream(stream, [...events]);
    appended.push(...events.map(({ id }) => ({ id: id ?? '', stream })));
  }
  await client.dispose();
});
afterAll(async () => {
  await product?.stop();
  await provider?.close();
  if (product !== undefined) removeData(product);
});

type Readiness = { ok: boolean; parts: { name: string; detail: unknown }[] };

/** Serving, and saying that something is left out. */
const expectDegraded = async (): Promise<void> => {
  const answer = await fetch(`${product.metricsUrl()}/readyz`);
  expect(answer.status).toBe(200);
  const { ok, parts } = (await answer.json()) as Readiness;
  expect(ok).toBe(true);
  const detail = JSON.stringify(parts.find(({ name }) => name === 'log')?.detail);
  expect(detail).toContain(`${appended.length} events cannot be read`);
};

test('every projection continues after unreadable events', async () => {
  const before = await admin.ok<{ name: string }[]>('GET', '/api/projections');
  await admin.ok('PUT', '/api/option/', { key: 'Footer', value: 'after the flood' });
  await eventually(async () => {
    const rows = await admin.ok<{ name: string; state: string; position: string }[]>(
      'GET',
      '/api/projections',
    );
    expect(rows.map(({ name, state }) => [name, state])).toEqual(
      before.map(({ name }) => [name, 'live']),
    );
  });
  await expectDegraded();
});

test('commands on the streams that hold such events still go through', async () => {
  const options = await admin.ok<{ key: string; value: string }[]>('GET', '/api/option/');
  expect(options.find(({ key }) => key === 'Footer')?.value).toBe('after the flood');
  const added = await addToken(admin);
  const answer = await chat(product.url, added.key, {});
  expect(answer.status).toBe(200);
  await admin.ok('POST', '/api/user/', { username: 'later', password: 'correct-horse' });
});

test('charges are booked, once and at their price, in an account that holds such events', async () => {
  const log = openLog(product.dataDir);
  await eventually(async () => {
    const books = await addUp(log, admin.userId);
    expect(books.charges).toHaveLength(2);
    expect(books.chargedTwice).toEqual([]);
    expect(books.wrongAmounts).toEqual([]);
  });
  await log.close();
});

test('after a restart the site serves the same, and reports what it leaves out', async () => {
  const { dataDir } = product;
  await product.kill();
  product = await startProduct({ dataDir });
  await eventually(async () => {
    expect((await chat(product.url, token.key, {})).status).toBe(200);
  });
  expect(product.log()).toContain('event cannot be read, left out');
  // What precedes the checkpoints is not read again by itself.
  const operator = new ConsoleClient(product.url);
  await operator.login(rootUser.username, rootUser.password);
  await operator.ok('POST', '/api/projections/ledger/rebuild');
  await eventually(expectDegraded);
});

test('verify names each of them as a break, by its id, and finds nothing else', async () => {
  const run = await runTool('verify', ['--json'], { DATA_DIR: product.dataDir });
  const report = JSON.parse(run.stdout) as VerifyReport;
  expect(report.breakCounts).toEqual({ unreadable: appended.length });
  const named = report.breaks.map(({ eventId, streamId }) => `${streamId}/${eventId}`);
  expect(named.sort()).toEqual(appended.map(({ id, stream }) => `${stream}/${id}`).sort());
  expect(run.code).toBe(1);
});
