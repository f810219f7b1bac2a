import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aRequestCharged } from '../../tests/support/account-events.ts';
import { type ReadApi, startReadApi } from '../../tests/support/read-api.ts';
import { signedIn } from '../../tests/support/read-side-story.ts';
import { aTokenCreated } from '../../tests/support/token-examples.ts';

let api: ReadApi;
const key = 'b'.repeat(48);
const bearer = { authorization: `Bearer sk-${key}` };

const token = (tokenId: number, ownKey: string, terms = {}) => {
  const { type, data } = aTokenCreated(terms);
  const keyHash = createHash('sha256').update(ownKey).digest('hex');
  return { type, data: { ...data, tokenId, keyHash } };
};
const budget = (tokenId: number, remain: number) => ({
  type: 'TokenBudgetSet',
  data: { userId: 42, tokenId, unlimited: false, remain },
});

beforeAll(async () => {
  api = await startReadApi();
  const { append, settle } = api.side;
  await append('token-8', token(8, key, { name: 'billing', expiredTime: 2_000_000_000 }));
  await append('token-9', token(9, 'c'.repeat(48), { expiredTime: 1_000_000_000 }));
  await append('token-10', token(10, 'd'.repeat(48)));
  await append('token-11', token(11, 'e'.repeat(48), { allowIps: ['10.9.8.7'] }));
  await append('account-42', budget(11, 1_000));
  await append('account-42', budget(8, 1_000_000), budget(10, 0));
  const { type, data } = aRequestCharged();
  const call = { ...data.call, tokenId: 8, tokenName: 'billing' };
  await append('account-42', { type, data: { ...data, call, requestId: 'request-of-8' } });
  await settle();
});
afterAll(() => api.stop());

const read = (path: string, headers = bearer) => api.get(path, headers);

test('a key reads its limit and what it used, in dollars and cents', async () => {
  for (const base of ['/dashboard/billing', '/v1/dashboard/billing']) {
    const { body } = await read(`${base}/subscription`);
    expect(body).toMatchObject({
      hard_limit_usd: 2,
      access_until: 2_000_000_000,
    });
    const used = await read(`${base}/usage?start_date=2026-01-01&end_date=2026-12-31`);
    expect(used.body.total_usage).toBeCloseTo(0.725, 10);
  }
});

test('with the token figures switched off, it reads those of its owner', async () => {
  const changed = { key: 'DisplayTokenStatEnabled', value: 'false', previous: null };
  await api.side.append('site', { type: 'OptionChanged', data: changed });
  await api.side.settle();
  const { body } = await read('/dashboard/billing/subscription');
  expect(body).toMatchObject({ access_until: 0 });
  const owner = await api.data('/api/user/self', 42);
  const inDollars = (owner.quota + owner.used_quota) / 500_000;
  expect(body.hard_limit_usd).toBeCloseTo(inDollars, 10);
});

test('a key reads what it did itself, as its owner would see it', async () => {
  const { body } = await read('/api/log/token');
  expect(body).toMatchObject({ success: true });
  expect(body.data).toMatchObject([
    { token_id: 8, token_name: 'billing', channel: 0, quota: 3_625 },
  ]);
});

test('a key with an address list opens nothing elsewhere', async () => {
  const elsewhere = { authorization: `Bearer sk-${'e'.repeat(48)}` };
  const paths = [
    '/dashboard/billing/subscription',
    '/v1/dashboard/billing/usage',
    '/api/log/token',
  ];
  for (const path of paths) {
    const { status, body } = await read(path, elsewhere);
    expect([status, body.error.code]).toEqual([403, 'ip_not_allowed']);
  }
});

test('a key in an address opens nothing, because addresses are logged', async () => {
  for (const path of ['/dashboard/billing/usage', '/api/log/token']) {
    expect((await api.get(`${path}?key=sk-${key}`)).status).toBe(401);
  }
});

test('a key reads its newest thousand entries at once, and no more', async () => {
  const { rows } = api.side;
  await rows(`
    INSERT INTO usage_log.entries
    SELECT (jsonb_populate_record(e, jsonb_build_object(
      'id', e.id + n, 'created_at', e.created_at + n, 'prompt_tokens', n))).*
    FROM usage_log.entries e, generate_series(1, 1200) n WHERE e.token_id = 8`);
  const found = (await read('/api/log/token')).body.data;
  expect(found).toHaveLength(1_000);
  expect([found[0]?.prompt_tokens, found.at(-1)?.prompt_tokens]).toEqual([1_200, 201]);
});

test.each([
  ['no key', {}],
  ['an unknown key', { authorization: 'Bearer sk-unknown' }],
  ['an expired key', { authorization: `Bearer ${'c'.repeat(48)}` }],
  ['a key that is used up', { authorization: `Bearer sk-${'d'.repeat(48)}` }],
  ['a session', signedIn(42)],
])('%s reads nothing', async (_, headers) => {
  for (const path of ['/dashboard/billing/usage', '/api/log/token']) {
    expect(await api.get(path, headers)).toMatchObject({
      status: 401,
      body: { error: { code: 'invalid_api_key' } },
    });
  }
});

test('what was used is the exact decimal, without the noise of binary fractions', async () => {
  const exact = 'e'.repeat(48);
  await api.side.append('token-11', token(11, exact, { name: 'exact' }));
  await api.side.append('account-42', budget(11, 1_000_000));
  const { type, data } = aRequestCharged({ amount: 330_016, sequence: 2 });
  const call = { ...data.call, tokenId: 11, tokenName: 'exact', requestId: 'request-of-11' };
  await api.side.append('account-42', { type, data: { ...data, call } });
  await api.side.settle();
  const option = { key: 'DisplayTokenStatEnabled', value: 'true', previous: 'false' };
  await api.side.append('site', { type: 'OptionChanged', data: option });
  await api.side.settle();
  const headers = { authorization: `Bearer sk-${exact}` };
  // 330,016 units at 500,000 units per dollar, in cents.
  const { body } = await read('/dashboard/billing/usage', headers);
  expect(body.total_usage).toBe(66.0032);
});

test('the key of a banned user reads nothing', async () => {
  const banned = { type: 'UserDisabled', data: { userId: 42, sessionEpoch: 1 } };
  await api.side.append('user-42', banned);
  await api.side.settle();
  expect((await read('/dashboard/billing/usage')).status).toBe(403);
});
