import { afterAll, beforeAll, expect, test } from 'vitest';
import { aChannelCreated } from '../tests/support/channel-examples.ts';
import { people, type ReadApi, startReadApi } from '../tests/support/read-api.ts';
import { signedIn } from '../tests/support/read-side-story.ts';
import { logOther } from './contract/log.ts';
import { readRoutes } from './contract/routes.ts';
import { userSetting } from './contract/user.ts';

let api: ReadApi;
const { root, ada } = people;
beforeAll(async () => {
  api = await startReadApi();
});
afterAll(() => api.stop());

const get: ReadApi['get'] = (url, headers) => api.get(url, headers);
const data: ReadApi['data'] = (url, as, rest) => api.data(url, as, rest);

const ids: Readonly<Record<string, string>> = {
  '/api/user/:id': '42',
  '/api/channel/:id': '3',
  '/api/ledger/:userId': '42',
};
const pathOf = (url: string): string => url.replace(/:\w+/, ids[url] ?? '1');
/** What the story has none of: tokens of the super admin, codes, dead letters. */
const absent = ['GET /api/token/:id', 'GET /api/redemption/:id', 'GET /api/dead_letter/:id'];
const reads = Object.entries(readRoutes)
  .filter(([key, { access }]) => key.startsWith('GET ') && access !== 'token')
  .map(([key]) => key)
  .filter((key) => !absent.includes(key));

// `api.get` compares each answer with the declaration of its route.
test.each(reads)('%s answers as it is declared, with and without a slash', async (key) => {
  const bare = pathOf(key.replace('GET ', '')).replace(/\/$/, '');
  // A range of these ends now, and one without a beginning is too long.
  const query = bare.startsWith('/api/data/') ? '?start_timestamp=4000000000' : '';
  for (const path of [bare, `${bare}/`]) {
    expect((await get(path + query, signedIn(root))).body.success).toBe(true);
  }
});

test('a user sees the balance, what was used and their own data in the clear', async () => {
  const self = await data('/api/user/self', ada);
  expect(self).toMatchObject({
    username: 'ada',
    display_name: 'ADA',
    email: 'ada@example.org',
    quota: 495_375,
    used_quota: 3_625,
    request_count: 1,
    DeletedAt: null,
  });
  const setting = userSetting.parse(JSON.parse(self.setting));
  expect(setting).toMatchObject({
    notification_email: 'alerts@example.org',
    webhook_secret_set: true,
  });
});

test('a person sees the default balance below which they are warned', async () => {
  const self = await data('/api/user/self', root);
  expect([self.setting, self.quota_remind_threshold]).toEqual(['', 1_000]);
});

test('the token shows its key to its owner and what it may still spend', async () => {
  const [token] = await data('/api/token/', ada);
  expect(token).toMatchObject({
    id: 7,
    key: 'k'.repeat(48),
    remain_quota: 10_000 - 3_625,
    used_quota: 3_625,
    status: 1,
  });
  expect(await data('/api/token/', root)).toEqual([]);
  expect((await get('/api/token/7', signedIn(root))).body.code).toBe('token.unknown');
  await data('/api/token/:id', ada, '7');
  expect(await data('/api/token/search', ada, '?keyword=lap&token=sk-kkk')).toHaveLength(1);
  expect(await data('/api/token/search', ada, '?keyword=lap&token=zzz')).toEqual([]);
});

test('the log shows an admin the channel and a user what it cost', async () => {
  const forAdmin = await data('/api/log/', root, '?type=2');
  expect(forAdmin).toMatchObject({ page: 1, page_size: 10, total: 1 });
  expect(forAdmin.items[0]).toMatchObject({
    quota: 3_625,
    channel: 3,
    channel_name: 'main',
    username: 'ada',
    model_name: 'gpt-4o',
    use_time: 1,
    duration_ms: 1_400,
  });
  const other = logOther.parse(JSON.parse(forAdmin.items[0]?.other ?? ''));
  expect(other).toMatchObject({ model_ratio: 1.25, model_price: -1, frt: 230 });
  expect(other.admin_info?.use_channel).toEqual(['5', '3']);
  const steps = other.price_steps ?? [];
  expect(steps.reduce((sum, { units }) => sum + Number(units), 0)).toBe(3_625);

  const own = await data('/api/log/self', ada, '?type=2');
  expect(own.items[0]).toMatchObject({ quota: 3_625, channel: 0, channel_name: '' });
  expect(own.items[0]?.id).not.toBe(forAdmin.items[0]?.id);
  expect(own.items[0]?.other).not.toContain('admin_info');
});

test('grants and changes of the quota are in the log as sentences', async () => {
  const { items } = await data('/api/log/self', ada);
  expect(items.map(({ type, content }) => [type, content])).toEqual([
    [3, 'An administrator changed the quota from $0.99275 to $0.99075'],
    [2, 'Model ratio 1.25, completion ratio 4, group ratio 1'],
    [4, 'Start quota for a new user: $1.00'],
  ]);
});

test('the ledger carries the running balance and the way to each charge', async () => {
  const page = await data('/api/ledger/self', ada);
  expect(page).toMatchObject({ total: 3, balance: 495_375, used: 3_625 });
  expect(page.items.map(({ kind, delta, balance_after }) => [kind, delta, balance_after])).toEqual([
    ['QuotaAdjusted', -1_000, 495_375],
    ['RequestCharged', -3_625, 496_375],
    ['QuotaGranted', 500_000, 500_000],
  ]);
  expect(page.items[0]?.actor).toEqual({ kind: 'admin', id: '', name: '' });
  expect(page.items[1]?.price?.steps.map(({ label, units }) => [label, units])).toEqual([
    ['prompt', '1000'],
    ['cache-read', '125'],
    ['completion', '2500'],
  ]);
  expect(page.items[1]).toMatchObject({ channel: 0, request_id: 'req-100', token_name: 'laptop' });
});

test('an admin reads the ledger of any user, with names and channels; a user only their own', async () => {
  const page = await data('/api/ledger/:userId', root, '42?kind=QuotaAdjusted');
  expect(page.items[0]?.actor).toEqual({ kind: 'admin', id: '1', name: 'root' });
  expect((await get('/api/ledger/1', signedIn(ada))).body.code).toBe('auth.not-allowed');
  expect((await get('/api/ledger/999', signedIn(root))).body.code).toBe('user.unknown');
});

test('channels never show their key', async () => {
  const [channel] = await data('/api/channel/', root, '?p=0&page_size=10&id_sort=true');
  expect(channel).toMatchObject({
    id: 3,
    key: '',
    models: 'gpt-4o,gpt-4o-mini',
    used_quota: 3_625,
  });
  expect(await data('/api/channel/search', root, '?group=vip')).toHaveLength(1);
  expect(await data('/api/channel/search', root, '?group=svip')).toEqual([]);
  expect(await data('/api/channel/search', root, '?keyword=%25')).toEqual([]);
});

test('prices show the groups that the reader may use', async () => {
  const { body } = await get('/api/pricing');
  const priced = { quota_type: 0, model_ratio: 1.25, completion_ratio: 4, has_price: true };
  expect(body.data).toMatchObject([
    { model_name: 'gpt-4o', ...priced },
    { model_name: 'gpt-4o-mini', has_price: true },
  ]);
  expect(Object.keys(body.group_ratio)).toContain('default');
});

test('options are listed with their defaults and without any secret', async () => {
  const options = new Map((await data('/api/option/', root)).map((o) => [o.key, o.value]));
  expect(options.get('SystemName')).toBe('Tollgate');
  expect(options.get('SelfUseModeEnabled')).toBe('false');
  expect(options.has('SMTPToken')).toBe(false);
  expect(await data('/api/status', root)).toMatchObject({
    setup: true,
    version: '1.2.3',
  });
});

test('bad input is refused in words, never with a stack', async () => {
  const { status, body } = await get('/api/channel/abc', signedIn(root));
  expect(status).toBe(200);
  expect(body).toMatchObject({ success: false, code: 'request.invalid' });
  const odd = '?p=NaN&page_size=-3&start_timestamp=1.5&end_timestamp=NaN&type=x&channel=';
  expect((await data('/api/log/', root, odd)).page_size).toBe(10);
  expect(
    (await get(`/api/user/search?keyword=${'9'.repeat(40)}`, signedIn(root))).body.success,
  ).toBe(true);
  expect((await get('/api/user/99999999999999999999', signedIn(root))).body.success).toBe(false);
});

test('the feeds publish what relays need', async () => {
  const token = await api.side.bus.feed('tokens').get('sha256-of-abc');
  expect(token?.value).toMatchObject({ tokenId: 7, userId: 42, allowIps: [], status: 1 });
  const account = await api.side.bus.feed('accounts').get('42');
  expect(account?.value).toMatchObject({ userId: 42, group: 'default', sessionEpoch: 0 });
  // Names of people and tokens are none of a relay's business.
  expect(JSON.stringify([token?.value, account?.value])).not.toMatch(/ada|laptop/);
  expect((await api.side.bus.feed('options').get('QuotaPerUnit'))?.value).toMatchObject({
    value: '500000',
  });
});

test('models and groups that only a private group may use stay out of the prices of others', async () => {
  const privateChannel = (channelId: number, models: readonly string[]) => {
    const { type, data: made } = aChannelCreated({ name: 'private', groups: ['staff'], models });
    return { type, data: { ...made, channelId } };
  };
  await api.side.append('channel-8', privateChannel(8, ['in-house', 'gpt-4o']));
  await api.side.settle();
  for (const headers of [{}, signedIn(ada)]) {
    const { body } = await get('/api/pricing', headers);
    expect(body.data).toMatchObject([{ model_name: 'gpt-4o' }, { model_name: 'gpt-4o-mini' }]);
    expect(JSON.stringify(body)).not.toMatch(/in-house|staff/);
  }
});

test('the price of a model that makes videos is for a second', async () => {
  const films = { name: 'films', type: 50, groups: ['default'], models: ['kling-v2'] };
  const { type, data: made } = aChannelCreated(films);
  await api.side.append('channel-9', { type, data: { ...made, channelId: 9 } });
  await api.side.settle();
  const { body } = await get('/api/pricing');
  expect(body.data).toContainEqual(
    expect.objectContaining({ model_name: 'kling-v2', by_second: true }),
  );
  expect(body.data).toContainEqual(
    expect.objectContaining({ model_name: 'gpt-4o-mini', by_second: false }),
  );
});
