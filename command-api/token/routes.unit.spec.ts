import { createHash } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { TokenCreated } from '../../domain/token/events.ts';
import { type Person, startWriteSide, type WriteSide } from '../../tests/support/write-side.ts';

let side: WriteSide;
let root: Person;
beforeEach(async () => {
  side = await startWriteSide();
  root = await side.root();
});
afterEach(() => side.stop());

const create = (body: object, headers: Record<string, string> = {}) =>
  root.call('POST', '/api/token/', { body: { name: 'mine', ...body }, headers });
const change = (body: object) =>
  root.call('PUT', '/api/token/', { body: { id: 1, name: 'mine', ...body } });
const budget = async (id = 1) => (await side.keeper.summary(1))?.tokens.get(id);

test('a token may spend what its owner set as soon as its creation is answered', async () => {
  expect((await create({ remain_quota: 500 })).body).toEqual({ success: true, message: '' });
  expect(await budget()).toEqual({ unlimited: false, remain: 500, used: 0 });
});

test('the key is in the log sealed and hashed only, and is shown to its owner', async () => {
  await create({ remain_quota: 500 });
  const { body } = await change({ remain_quota: 500 });
  const { key } = body.data as { key: string };
  expect(key).toMatch(/^[0-9A-Za-z]{48}$/);
  const [created] = side.events<TokenCreated['data']>('TokenCreated');
  expect(created?.keyHash).toBe(createHash('sha256').update(key).digest('hex'));
  expect(JSON.stringify(created)).not.toContain(key);
});

test('a form that sends every field back leaves the budget alone', async () => {
  await create({ remain_quota: 500 });
  const { body } = await change({ name: 'renamed', remain_quota: 500 });
  expect(body).toMatchObject({
    data: { id: 1, name: 'renamed', remain_quota: 500, used_quota: 0, status: 1, expired_time: -1 },
  });
  expect(side.events('TokenBudgetSet')).toHaveLength(1);
});

test('a new figure holds at once; with what was seen, only the difference counts', async () => {
  await create({ remain_quota: 500 });
  await change({ remain_quota: 900 });
  expect(await budget()).toMatchObject({ remain: 900 });
  const { body } = await change({ remain_quota: 1_000, remain_quota_seen: 950 });
  expect(body).toMatchObject({ data: { remain_quota: 950 } });
  expect(await budget()).toMatchObject({ remain: 950 });
});

test('lists are received and returned as text', async () => {
  await create({
    unlimited_quota: true,
    model_limits_enabled: true,
    model_limits: 'gpt-4o, gpt-4o-mini,',
    allow_ips: '192.0.2.1\n192.0.2.2, 192.0.2.1',
  });
  const { body } = await root.call('PUT', '/api/token/?status_only=true', {
    body: { id: 1, status: 2 },
  });
  expect(body).toMatchObject({
    data: {
      status: 2,
      unlimited_quota: true,
      model_limits: 'gpt-4o,gpt-4o-mini',
      allow_ips: '192.0.2.1\n192.0.2.2',
    },
  });
});

test('limits of calls are kept for forms without them, and 0 removes one', async () => {
  await create({ requests_per_minute: 60, tokens_per_minute: 0, concurrent_requests: 5 });
  expect(side.events('TokenCreated')).toMatchObject([
    { terms: { requestsPerMinute: 60, concurrentRequests: 5 } },
  ]);
  expect(side.events('TokenCreated')[0]).not.toHaveProperty('terms.tokensPerMinute');
  expect((await change({ remain_quota: 900 })).body).toMatchObject({
    data: { requests_per_minute: 60, tokens_per_minute: 0, concurrent_requests: 5 },
  });
  const { body } = await change({ requests_per_minute: 0, tokens_per_minute: 1_000 });
  expect(body).toMatchObject({
    data: { requests_per_minute: 0, tokens_per_minute: 1_000, concurrent_requests: 5 },
  });
  const codeOf = async (limits: object) => (await create(limits)).body.code;
  expect(await codeOf({ requests_per_minute: -1 })).toBe('request.invalid');
  expect(await codeOf({ tokens_per_minute: 1.5 })).toBe('request.invalid');
  expect(await codeOf({ concurrent_requests: 2 ** 31 })).toBe('token.call-limit-invalid');
});

test('a token without quota left cannot be enabled', async () => {
  await create({ remain_quota: 0 });
  const body = { id: 1, status: 1 };
  const answer = await root.call('PUT', '/api/token/?status_only=true', { body });
  expect(answer.body).toMatchObject({ success: false, code: 'token.exhausted' });
});

test('bad terms are refused with a reason', async () => {
  const codeOf = async (body: object) => (await create(body)).body.code;
  expect(await codeOf({ name: '' })).toBe('token.name-length');
  expect(await codeOf({ name: 'x'.repeat(31) })).toBe('token.name-length');
  expect(await codeOf({ remain_quota: -1 })).toBe('token.quota-invalid');
  expect(await codeOf({ expired_time: 1_000 })).toBe('token.expiry-in-past');
  expect(await codeOf({ group: 'secret' })).toBe('token.group-not-usable');
  expect(await codeOf({ name: 5 })).toBe('request.invalid');
  expect(side.events('TokenCreated')).toEqual([]);
});

test('a token answers to its owner alone', async () => {
  await create({ remain_quota: 500 });
  const password = 'correct-horse';
  await root.call('POST', '/api/user/', { body: { username: 'ada', password } });
  const ada = side.person();
  await ada.signIn('ada', password);
  const body = { id: 1, name: 'stolen' };
  for (const answer of [
    await ada.call('PUT', '/api/token/', { body }),
    await ada.call('PUT', '/api/token/?status_only=1', { body: { id: 1, status: 2 } }),
    await ada.call('DELETE', '/api/token/1'),
  ]) {
    expect(answer.body).toMatchObject({ success: false, code: 'token.unknown' });
  }
});

test('a deleted token spends no more, and is deleted once', async () => {
  await create({ remain_quota: 500 });
  expect((await root.call('DELETE', '/api/token/1/')).body).toMatchObject({ success: true });
  expect(await budget()).toBeUndefined();
  expect((await root.call('DELETE', '/api/token/1')).body).toMatchObject({ code: 'token.unknown' });
  expect((await root.call('DELETE', '/api/token/x')).body).toMatchObject({
    code: 'request.invalid',
  });
});

test('a creation that is sent again under its key makes one token', async () => {
  const headers = { 'idempotency-key': 'wish-1' };
  await create({ remain_quota: 500 }, headers);
  expect((await create({ remain_quota: 500 }, headers)).body).toMatchObject({ success: true });
  expect(side.events('TokenCreated')).toHaveLength(1);
  expect((await create({ remain_quota: 900 }, headers)).body).toMatchObject({
    code: 'request.idempotency-conflict',
  });
});
