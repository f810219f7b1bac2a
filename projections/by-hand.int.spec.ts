import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMemoryEventStore } from '../tests/support/memory-event-store.ts';
import {
  type ReadSide,
  startReadSide,
  startTestPostgres,
  type TestPostgres,
  testVault,
} from '../tests/support/read-side.ts';
import { type Person, startWriteSide, type WriteSide } from '../tests/support/write-side.ts';
import type { AuditPage, AuditRow } from './contract/audit.ts';
import type { LedgerPage } from './contract/ledger.ts';
import type { LogRow } from './contract/log.ts';

let postgres: TestPostgres;
let side: ReadSide;
let write: WriteSide;
let app: FastifyInstance;
let root: Person;
let ada: Person;
const password = 'lovelace-1';

beforeAll(async () => {
  postgres = await startTestPostgres();
  const eventStore = createMemoryEventStore();
  side = await startReadSide(postgres, { eventStore, now: () => new Date() });
  app = Fastify();
  await side.projections.register(app);
  write = await startWriteSide({ eventStore, bus: side.bus, vault: testVault, app });
  root = await write.root();
  await root.call('POST', '/api/user/', { body: { username: 'ada', password } });
  ada = write.person();
  await ada.signIn('ada', password);
});
afterAll(async () => {
  await write.stop();
  await side.projections.stop();
  await side.database.close();
  await postgres.stop();
});

const zh = { 'accept-language': 'zh' };
const data = async <T>(person: Person, url: string, headers = {}): Promise<T> =>
  (await person.call('GET', url, { headers })).body.data as T;
const done = async (method: 'POST' | 'PUT' | 'DELETE', url: string, body?: object) => {
  const answer = await root.call(method, url, body === undefined ? {} : { body });
  expect(answer.body).toMatchObject({ success: true });
};
const newestLog = async (person: Person, headers = {}) => {
  const url = person === root ? '/api/log/?type=3' : '/api/log/self?type=3';
  const [row] = (await data<{ items: LogRow[] }>(person, url, headers)).items;
  if (row === undefined) throw new Error('the log has no such entry');
  return row;
};
const newestAudit = async (): Promise<AuditRow> => {
  const [row] = (await data<AuditPage>(root, '/api/audit?')).items;
  if (row === undefined) throw new Error('the trail is empty');
  return row;
};
const channel = { type: 1, name: 'main', key: 'sk-1', models: 'gpt-4o' };
const code = { name: 'gift', quota: 500_000, count: 1 };

describe('what an administrator does leaves an entry of type 3 with the operator', () => {
  test.each([
    ['POST', '/api/user/', { username: 'bob', password }, 'bob', '管理员创建了该用户'],
    ['PUT', '/api/option/', { key: 'RetryTimes', value: 2 }, 'root', '修改设置 RetryTimes'],
    ['PUT', '/api/option/', { key: 'ModelPrice', value: '{}' }, 'root', '修改设置 ModelPrice'],
    ['PUT', '/api/option/', { key: 'WorkerUrl', value: 'http://w' }, 'root', '修改设置 WorkerUrl'],
    [
      'PUT',
      '/api/option/',
      { key: 'WorkerValidKey', value: 'k' },
      'root',
      '更换密钥 WorkerValidKey',
    ],
    [
      'PUT',
      '/api/option/',
      { key: 'WorkerUrl', value: 'http://v' },
      'root',
      '因 WorkerUrl 已变更，清除密钥 WorkerValidKey',
    ],
    ['POST', '/api/option/rest_model_ratio', undefined, 'root', null],
    ['PUT', '/api/option/', { key: 'ModelRatio', value: '{}' }, 'root', '修改设置 ModelRatio'],
    ['POST', '/api/option/rest_model_ratio', undefined, 'root', '将设置 ModelRatio 恢复默认'],
    ['POST', '/api/channel/', channel, 'root', '创建渠道 #1'],
    ['PUT', '/api/channel/', { id: 1, weight: 3 }, 'root', '修改渠道 #1'],
    [
      'PUT',
      '/api/channel/',
      { id: 1, key: 'sk-2', reason: '旧密钥泄露' },
      'root',
      '更换渠道 #1 的密钥，原因：旧密钥泄露',
    ],
    ['PUT', '/api/channel/', { id: 1, status: 2 }, 'root', '禁用渠道 #1'],
    ['POST', '/api/channel/batch/tag', { ids: [1], tag: 'a' }, 'root', '修改渠道 #1 的标签'],
    ['POST', '/api/channel/tag/enabled', { tag: 'a' }, 'root', '启用渠道 #1'],
    ['DELETE', '/api/channel/1', undefined, 'root', '删除渠道 #1'],
    ['POST', '/api/redemption/', code, 'root', '创建兑换码 #1，额度 $1.00'],
    [
      'PUT',
      '/api/redemption/',
      { id: 1, name: 'gift', quota: 1_000_000 },
      'root',
      '修改兑换码 #1，额度 $2.00',
    ],
    ['PUT', '/api/redemption/?status_only=true', { id: 1, status: 2 }, 'root', '禁用兑换码 #1'],
    ['PUT', '/api/redemption/?status_only=true', { id: 1, status: 1 }, 'root', '启用兑换码 #1'],
    ['DELETE', '/api/redemption/1', undefined, 'root', '删除兑换码 #1'],
    [
      'PUT',
      '/api/user/',
      { id: 2, quota: 500_000, reason: '补偿' },
      'ada',
      '管理员将额度从 $0.00 改为 $1.00，原因：补偿',
    ],
    ['PUT', '/api/user/', { id: 2, group: 'vip' }, 'ada', '管理员将分组从 default 改为 vip'],
    [
      'POST',
      '/api/user/manage',
      { id: 3, action: 'disable', reason: '盗刷' },
      'bob',
      '管理员禁用了该用户，原因：盗刷',
    ],
  ] as const)('%s %s %j', async (method, url, body, username, content) => {
    await done(method, url, body);
    if (content === null) return;
    const row = await newestLog(root, zh);
    expect(row).toMatchObject({ type: 3, username, content });
    expect(JSON.parse(row.other)).toMatchObject({ operator_id: '1' });
  });

  test('which the user is not shown', async () => {
    const row = await newestLog(ada);
    expect(row).toMatchObject({ username: 'ada', content: expect.stringContaining('vip') });
    expect(row.other).toBe('');
    const { items } = await data<{ items: LogRow[] }>(ada, '/api/log/self?type=3');
    expect(items).toHaveLength(3);
    expect(JSON.stringify(items)).not.toMatch(/operator|root/);
  });
});

describe('the reason that was given', () => {
  test.each([
    ['PUT', '/api/user/', { id: 2, quota: 600_000 }, 'QuotaAdjusted'],
    ['POST', '/api/user/manage', { id: 2, action: 'promote' }, 'UserPromoted'],
    ['POST', '/api/user/manage', { id: 2, action: 'demote' }, 'UserDemoted'],
    ['POST', '/api/user/manage', { id: 3, action: 'enable' }, 'UserEnabled'],
    ['POST', '/api/user/manage', { id: 3, action: 'delete' }, 'UserDeleted'],
    ['PUT', '/api/option/', { key: 'RetryTimes', value: 5 }, 'OptionChanged'],
    ['PUT', '/api/option/', { key: 'SMTPToken', value: 'x' }, 'SecretOptionChanged'],
  ] as const)('is in the audit trail: %s %s %j', async (method, url, body, type) => {
    await done(method, url, { ...body, reason: `ticket 17: ${type}` });
    expect(await newestAudit()).toMatchObject({ type, reason: `ticket 17: ${type}` });
  });

  test('is in the ledger of the user, without the name of the administrator', async () => {
    await ada.signIn('ada', password);
    const page = await data<LedgerPage>(ada, '/api/ledger/self');
    expect(page.items[0]).toMatchObject({
      kind: 'QuotaAdjusted',
      reason: 'ticket 17: QuotaAdjusted',
      actor: { kind: 'admin', id: '', name: '' },
    });
    expect(JSON.stringify(page)).not.toMatch(/root|admin 1/);
  });

  test('is left out where none was given', async () => {
    const adjusted = {
      type: 'QuotaAdjusted',
      data: {
        userId: 2,
        delta: -100_000,
        seen: 600_000,
        reason: { kind: 'set-by-admin', note: null },
        balanceAfter: 500_000,
      },
    } as const;
    await side.append('account-2', [
      adjusted,
      { actor: { kind: 'admin', id: '1' }, occurredAt: new Date().toISOString() },
    ]);
    await side.settle();
    const page = await data<LedgerPage>(ada, '/api/ledger/self');
    expect(page.items[0]).toMatchObject({ delta: -100_000, reason: '' });
    expect((await newestLog(ada)).content).toMatch(
      /^An administrator changed the quota from \S+ to \S+$/,
    );
    expect(await newestAudit()).toMatchObject({ type: 'QuotaAdjusted', reason: '' });
    const file = async (language: string) =>
      (
        await app.inject({
          method: 'GET',
          url: '/api/ledger/self/export?format=csv',
          headers: {
            cookie: ada.cookie,
            'new-api-user': String(ada.userId),
            'accept-language': language,
          },
        })
      ).body;
    expect(await file('en')).toContain('Adjusted by an administrator');
    expect(await file('zh')).toContain('管理员调整');
  });
});
