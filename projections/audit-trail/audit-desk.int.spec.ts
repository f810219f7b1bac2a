import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RequestUsed } from '../../domain/account/messages.ts';
import { verify } from '../../infra/verify/verify.ts';
import { aUsedRecord } from '../../tests/support/account-examples.ts';
import { createMemoryEventStore } from '../../tests/support/memory-event-store.ts';
import {
  type ReadSide,
  startReadSide,
  startTestPostgres,
  type TestPostgres,
  testVault,
} from '../../tests/support/read-side.ts';
import { type Person, startWriteSide, type WriteSide } from '../../tests/support/write-side.ts';
import type { AuditPage, AuditRow } from '../contract/audit.ts';
import type { LedgerPage } from '../contract/ledger.ts';
import type { Repricing } from '../contract/reprice.ts';
import { createReadModels } from '../create-read-models.ts';

type Answer<T> = Readonly<{ success: boolean; code?: string; data: T }>;

let postgres: TestPostgres;
let side: ReadSide;
let write: WriteSide;
let app: FastifyInstance;
let root: Person;
let ada: Person;

beforeAll(async () => {
  postgres = await startTestPostgres();
  const eventStore = createMemoryEventStore();
  side = await startReadSide(postgres, { eventStore, now: () => new Date() });
  app = Fastify();
  await side.projections.register(app);
  write = await startWriteSide({ eventStore, bus: side.bus, vault: testVault, app });
  root = await write.root();
  await root.call('POST', '/api/user/', { body: { username: 'ada', password: 'lovelace-1' } });
  ada = write.person();
  await ada.signIn('ada', 'lovelace-1');
});
afterAll(async () => {
  await write.stop();
  await side.projections.stop();
  await side.database.close();
  await postgres.stop();
});

const get = async <T>(person: Person, url: string): Promise<T> =>
  (await person.call('GET', url)).body as T;
const trail = async (filter: string): Promise<readonly AuditRow[]> =>
  (await get<Answer<AuditPage>>(root, `/api/audit?${filter}`)).data.items;
const newest = async (filter: string): Promise<AuditRow> => {
  const [row] = await trail(filter);
  if (row === undefined) throw new Error(`nothing in the trail for ${filter}`);
  return row;
};
/** The text of a file, as it would be saved. */
const file = async (person: Person, url: string) => {
  const headers = { cookie: person.cookie, 'new-api-user': String(person.userId) };
  return app.inject({ method: 'GET', url, headers });
};
/** Charges as relays hand them in. */
const settle = async (...records: RequestUsed[]): Promise<void> => {
  const lines = records.map((record) => JSON.stringify(record));
  await side.bus.queue<string>('usage').publish(ada.userId % 64, lines);
  await side.settle();
};
const used = (requestId: string, sequence: number, amount: number): RequestUsed =>
  aUsedRecord({
    userId: ada.userId,
    leaseId: null,
    sequence,
    amount,
    call: { requestId, tokenId: 0 },
  });
const ledgerOf = async (person: Person, query = ''): Promise<LedgerPage> =>
  (await get<Answer<LedgerPage>>(person, `/api/ledger/${ada.userId}${query}`)).data;

test('an option shows in the trail with its old and new value, who changed it and from where', async () => {
  await root.call('PUT', '/api/option/', { body: { key: 'SystemName', value: 'First' } });
  await root.call('PUT', '/api/option/', { body: { key: 'SystemName', value: 'Second' } });
  expect(await newest('subject_kind=option&subject_id=SystemName')).toMatchObject({
    type: 'OptionChanged',
    actor: { kind: 'admin', id: String(root.userId), name: 'root' },
    ip: '127.0.0.1',
    subject: { kind: 'option', id: 'SystemName' },
    changes: [{ field: 'value', before: 'First', after: 'Second' }],
  });
});

test('a secret shows as changed, and its value is nowhere in the trail', async () => {
  const secret = 'very-secret-of-the-mail-server';
  await root.call('PUT', '/api/option/', { body: { key: 'SMTPToken', value: secret } });
  const row = await newest('subject_id=SMTPToken');
  expect(row).toMatchObject({ type: 'SecretOptionChanged', secrets: ['value'], changes: [] });
  const all = await side.rows<{ text: string }>(
    'SELECT e::text AS text FROM audit_trail.entries e',
  );
  for (const { text } of all) expect(text).not.toContain('very-secret');
});

test('a channel shows only what was changed, and everything that it was when it goes', async () => {
  const body = {
    type: 1,
    name: 'main',
    key: 'sk-upstream-key',
    models: 'gpt-4o',
    group: 'default',
  };
  await root.call('POST', '/api/channel/', { body });
  const made = await newest('subject_kind=channel&type=ChannelCreated');
  expect(made).toMatchObject({ subject: { name: 'main' }, secrets: ['key'] });
  const id = Number(made.subject.id);
  await root.call('PUT', '/api/channel/', { body: { id, name: 'spare', priority: 3 } });
  expect((await newest(`subject_kind=channel&subject_id=${id}`)).changes).toEqual(
    expect.arrayContaining([
      { field: 'name', before: 'main', after: 'spare' },
      { field: 'priority', before: 0, after: 3 },
    ]),
  );
  await root.call('DELETE', `/api/channel/${id}`);
  const gone = await newest('type=ChannelDeleted');
  expect(gone.changes).toContainEqual({ field: 'name', before: 'spare', after: null });
});

test('people see what was done to them, never which admin did it or from where', async () => {
  await root.call('PUT', '/api/user/', { body: { id: ada.userId, group: 'vip' } });
  const { data } = await get<Answer<AuditPage>>(ada, '/api/audit/self?type=UserGroupChanged');
  expect(data.items).toHaveLength(1);
  expect(data.items[0]).toMatchObject({
    actor: { kind: 'admin', id: '', name: '' },
    ip: '',
    changes: [{ field: 'group', before: 'default', after: 'vip' }],
  });
  const own = await get<Answer<AuditPage>>(ada, '/api/audit/self');
  expect(own.data.items.every(({ subject }) => subject.kind !== 'option')).toBe(true);
  expect(own.data.items.map(({ type }) => type)).toContain('UserLoggedIn');
  expect(JSON.stringify(own)).not.toContain('root');
  expect(await get(ada, '/api/audit')).toMatchObject({ code: 'auth.not-allowed' });
});

test('personal data is named in the trail and never shown', async () => {
  await ada.call('PUT', '/api/user/self', { body: { display_name: 'Countess' } });
  const row = await newest('type=UserProfileChanged');
  expect(row.secrets).toEqual(['displayName']);
  expect(JSON.stringify(row)).not.toContain('Countess');
});

test('a quota that an admin set shows with the balance before and after', async () => {
  await root.call('PUT', '/api/user/', { body: { id: ada.userId, quota: 50_000 } });
  const row = await newest('subject_kind=account&type=QuotaAdjusted');
  expect(row.subject).toMatchObject({ id: String(ada.userId), name: 'ada' });
  expect(row.changes).toContainEqual({ field: 'balance', before: 0, after: 50_000 });
});

test('the trail and the ledger go out as files of any length, safe for spreadsheets', async () => {
  await root.call('PUT', '/api/option/', { body: { key: 'SystemName', value: '=1+1' } });
  const csv = await file(root, '/api/audit/export?format=csv&subject_id=SystemName');
  expect(csv.headers['content-type']).toBe('text/csv; charset=utf-8');
  expect(csv.headers['content-disposition']).toBe('attachment; filename="audit.csv"');
  expect(csv.body.startsWith('\uFEFFtime,type,actor_kind')).toBe(true);
  const json = await file(root, '/api/audit/export?format=json');
  const total = (await get<Answer<AuditPage>>(root, '/api/audit')).data.total;
  expect(JSON.parse(json.body)).toHaveLength(total);
  const ledger = await file(ada, '/api/ledger/self/export?format=csv');
  expect(ledger.body.split('\r\n')[0]).toContain('time,kind,delta,balance_after');
  expect((await file(ada, `/api/ledger/${root.userId}/export`)).json()).toMatchObject({
    code: 'auth.not-allowed',
  });
});

test('charges are re-priced in a dry run, and nothing is written', async () => {
  await settle(used('req-a', 1, 1_000), used('req-b', 2, 3_000));
  const before = write.eventStore.all.length;
  const body = {
    user_id: ada.userId,
    request_ids: ['req-a', 'req-b', 'req-none'],
    overrides: { model_ratio: '0.5' },
  };
  const { data } = (await root.call('POST', '/api/audit/reprice', { body }))
    .body as Answer<Repricing>;
  expect(data).toMatchObject({
    old_amount: 4_000,
    new_amount: 2_000,
    difference: 2_000,
    unknown: ['req-none'],
  });
  expect(data.items.map(({ new_amount }) => new_amount)).toEqual([500, 1_500]);
  expect(data.items[0]?.steps[0]).toMatchObject({ label: 'prompt', quantity: 1_000, units: '500' });
  const usage = { prompt_tokens: 10, cached_tokens: 11 };
  const wrong = { user_id: ada.userId, request_ids: ['req-a'], overrides: { usage } };
  expect((await root.call('POST', '/api/audit/reprice', { body: wrong })).body).toMatchObject({
    code: 'reprice.usage-invalid',
  });
  expect(write.eventStore.all.length).toBe(before);
});

test('a correction is posted once for each key, and shows in the ledger and in the trail', async () => {
  const { balance } = await ledgerOf(root);
  const body = {
    user_id: ada.userId,
    delta: 2_000,
    corrects: ['req-a', 'req-b'],
    reason: 'wrong ratio',
    reference: 'ticket 7',
  };
  const headers = { 'idempotency-key': 'dispute-7' };
  const first = await root.call('POST', '/api/audit/correction', { body, headers });
  const second = await root.call('POST', '/api/audit/correction', { body, headers });
  expect(first.body).toMatchObject({ success: true, data: { balance: balance + 2_000 } });
  expect(second.body).toEqual(first.body);
  const { items, balance: after } = await ledgerOf(ada);
  expect(after).toBe(balance + 2_000);
  expect(items[0]).toMatchObject({
    kind: 'CorrectionPosted',
    delta: 2_000,
    reason: 'wrong ratio (ticket 7)',
    reference: 'req-a,req-b',
    actor: { kind: 'admin', id: '', name: '' },
  });
  const row = await newest('type=CorrectionPosted');
  expect(row.changes).toContainEqual({ field: 'balance', before: balance, after });
  expect(row.changes).toContainEqual({ field: 'reference', before: null, after: 'ticket 7' });
});

test('a correction of something that never was, or without a reason, is refused', async () => {
  const body = { user_id: ada.userId, delta: 5, corrects: ['req-z'], reason: 'because' };
  expect((await root.call('POST', '/api/audit/correction', { body })).body).toMatchObject({
    success: false,
    code: 'correction.unknown-movement',
  });
  const bare = { ...body, corrects: ['req-a'], reason: ' ' };
  expect((await root.call('POST', '/api/audit/correction', { body: bare })).body).toMatchObject({
    code: 'request.invalid',
  });
  expect((await ada.call('POST', '/api/audit/correction', { body })).body).toMatchObject({
    code: 'auth.not-allowed',
  });
});

test('the ledger shows the account as it was at an instant', async () => {
  const now = await ledgerOf(root);
  const [, ...earlier] = now.items;
  expect(earlier.length).toBeGreaterThan(2);
  const oldest = earlier.at(-1)?.at ?? 0;
  const then = await ledgerOf(root, `?as_of=${oldest - 1}`);
  expect(then).toMatchObject({ balance: 0, used: 0, total: 0, as_of: oldest - 1, leases: [] });
  const iso = new Date(Date.now() + 1_000).toISOString();
  expect(await ledgerOf(root, `?as_of=${iso}`)).toMatchObject({
    balance: now.balance,
    used: now.used,
    total: now.total,
  });
});

test('pruning the log answers how many entries went; the ledger keeps them all', async () => {
  const before = await ledgerOf(root);
  const cut = Math.floor(Date.now() / 1_000) - 3_600;
  const none = await root.call('DELETE', `/api/log/?target_timestamp=${cut}`);
  expect(none.body).toMatchObject({ success: true, data: 0 });
  for (const wrong of ['', '?target_timestamp=0', '?target_timestamp=x']) {
    expect((await root.call('DELETE', `/api/log/${wrong}`)).body).toMatchObject({ success: false });
  }
  expect((await ledgerOf(root)).total).toBe(before.total);
  expect(await newest('type=UsageLogPruned')).toMatchObject({
    subject: { kind: 'site' },
    actor: { name: 'root' },
  });
});

test('after all of this the books add up', async () => {
  await side.settle();
  const report = await verify({
    eventStore: write.eventStore,
    readModels: createReadModels(side.database.db),
    clock: () => new Date(),
  });
  expect(report.breaks).toEqual([]);
});
