import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Stop } from '../../infra/ports/bus.ts';
import { serveAccounts, testVault } from '../../tests/support/account-service.ts';
import { type Person, startWriteSide, type WriteSide } from '../../tests/support/write-side.ts';

let side: WriteSide;
let stopRelay: Stop;
let root: Person;
let provider: Server;
let asked: IncomingMessage[];
let answers: Record<string, object>;

beforeEach(async () => {
  asked = [];
  answers = {};
  provider = createServer((request, response) => {
    asked.push(request);
    const answer = answers[(request.url ?? '').split('?')[0] ?? ''];
    response.statusCode = answer === undefined ? 404 : 200;
    response.end(JSON.stringify(answer ?? {}));
  });
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
  side = await startWriteSide({ vault: testVault });
  stopRelay = await serveAccounts(side.bus);
  root = await side.root();
});
afterEach(async () => {
  await stopRelay();
  await side.stop();
  provider.closeAllConnections();
  provider.close();
});

const create = (type: number, body: object = {}) => {
  const { port } = provider.address() as AddressInfo;
  const base = { name: 'main', key: 'sk-1', models: 'gpt-4o' };
  const base_url = `http://127.0.0.1:${port}`;
  return root.call('POST', '/api/channel/', { body: { ...base, type, base_url, ...body } });
};
const read = async (id: number) =>
  (await root.call('GET', `/api/channel/update_balance/${id}/`)).body;
const openAiAnswers = (limit: number) => ({
  '/v1/dashboard/billing/subscription': { hard_limit_usd: limit, has_payment_method: true },
  '/v1/dashboard/billing/usage': { total_usage: 1_234.5 },
});

test('the balance is what the limit leaves after what was used this month', async () => {
  await create(1);
  answers = openAiAnswers(20);
  expect(await read(1)).toEqual({ success: true, message: '', balance: 7.655 });
  expect(side.events('ChannelBalanceRead')).toEqual([{ channelId: 1, balance: '7.655' }]);
  expect(asked.map(({ headers }) => headers.authorization)).toEqual(['Bearer sk-1', 'Bearer sk-1']);
  expect(asked[1]?.url).toMatch(/start_date=\d{4}-\d{2}-01&end_date=/);
});

test.each([
  [40, '/v1/user/info', { code: 20_000, data: { totalBalance: '0.88' } }, 0.88],
  [43, '/user/balance', { balance_infos: [{ currency: 'CNY', total_balance: '9.1' }] }, 9.1],
])(
  'the balance of a channel of type %i is read in the form of its provider',
  async (type, path, answer, balance) => {
    await create(type);
    answers = { [path]: answer };
    expect(await read(1)).toMatchObject({ success: true, balance });
  },
);

test('a type without such a call, a mute provider and an unknown channel are refused', async () => {
  await create(14);
  await create(1);
  expect(await read(1)).toMatchObject({ code: 'channel.balance-unsupported' });
  expect(await read(2)).toMatchObject({ code: 'channel.balance-not-read' });
  expect(await read(99)).toMatchObject({ code: 'channel.unknown' });
});

test('a round reads the enabled channels, and disables the one that has nothing left', async () => {
  await create(1);
  await create(14);
  await create(1, { name: 'off' });
  await root.call('PUT', '/api/channel/', { body: { id: 3, status: 2 } });
  answers = openAiAnswers(10);
  const { body } = await root.call('GET', '/api/channel/update_balance');
  expect(body).toMatchObject({ success: true });
  await expect.poll(() => side.events('ChannelAutoDisabled')).toHaveLength(1);
  expect(side.events('ChannelAutoDisabled')).toMatchObject([
    { channelId: 1, reason: 'insufficient balance' },
  ]);
  expect(side.events('ChannelBalanceRead')).toEqual([{ channelId: 1, balance: '-2.345' }]);
});

test('an edit answers with the counters of the read side', async () => {
  await create(1);
  const figures = {
    balance: 1.5,
    balanceUpdatedTime: 6,
    usedQuota: 77,
    responseTimeMs: 120,
    testTime: 5,
    createdTime: 4,
    otherInfo: '',
  };
  const stop = await side.bus.serve('channel-list.figures', async () => figures);
  const edited = await root.call('PUT', '/api/channel/', { body: { id: 1, priority: 9 } });
  expect(edited.body).toMatchObject({
    data: { id: 1, priority: 9, key: '', used_quota: 77, balance: 1.5, created_time: 4 },
  });
  await stop();
});

test('the mapping of channels to models never needs a fix', async () => {
  await create(1);
  const { body } = await root.call('POST', '/api/channel/fix');
  expect(body).toMatchObject({ success: true, data: 0 });
});
