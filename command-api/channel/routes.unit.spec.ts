import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ChannelFailing, ChannelTestReply } from '../../domain/relay/messages.ts';
import { channelKeyPlace } from '../../domain/shared/sealed.ts';
import { serveAccounts, testVault } from '../../tests/support/account-service.ts';
import { type Person, startWriteSide, type WriteSide } from '../../tests/support/write-side.ts';

let side: WriteSide;
let root: Person;
beforeEach(async () => {
  side = await startWriteSide({ vault: testVault });
  root = await side.root();
});
afterEach(() => side.stop());

const create = (body: object = {}, headers: Record<string, string> = {}) =>
  root.call('POST', '/api/channel/', {
    body: { type: 1, name: 'main', key: 'sk-1', models: 'gpt-4o,gpt-4o-mini', ...body },
    headers,
  });
const change = async (body: object) => (await root.call('PUT', '/api/channel/', { body })).body;
const typesSince = (count: number) =>
  side.eventStore.all.slice(count).map(({ event }) => event.type);
const options = async (values: Record<string, string>) => {
  for (const [key, value] of Object.entries(values)) {
    await root.call('PUT', '/api/option/', { body: { key, value } });
  }
};

test('each line of keys makes a separate channel', async () => {
  const { body } = await create({ key: 'sk-1\n\nsk-2\n' });
  expect(body).toMatchObject({ success: true, data: { ids: [1, 2] } });
});

test('a key is never readable in an answer or in the log', async () => {
  await create({ key: 'sk-very-secret' });
  const answer = await change({ id: 1, key: 'sk-even-more-secret' });
  expect(answer).toMatchObject({ data: { key: '' } });
  expect(JSON.stringify([answer, side.eventStore.all.map(({ event }) => event)])).not.toMatch(
    /very-secret|more-secret/,
  );
});

test('a partial update changes what it names', async () => {
  await create({ group: 'default,vip', priority: 3, tag: 'a' });
  expect(await change({ id: 1, weight: 7 })).toMatchObject({
    success: true,
    data: { id: 1, weight: 7, priority: 3, group: 'default,vip', models: 'gpt-4o,gpt-4o-mini' },
  });
  expect(await change({ id: 1, status: 2 })).toMatchObject({ data: { status: 2, weight: 7 } });
  expect(await change({ id: 1, tag: '', name: '' })).toMatchObject({
    data: { tag: '', name: 'main' },
  });
});

test('saving a channel as it is writes nothing', async () => {
  await create();
  const record = (await change({ id: 1, weight: 0 })).data;
  const before = side.eventStore.all.length;
  await change(record as object);
  expect(typesSince(before)).toEqual([]);
});

test('errors in a channel are reported before anything is written', async () => {
  const codeOf = async (body: object) => (await create(body)).body.code;
  expect(await codeOf({ name: ' ' })).toBe('channel.name-required');
  expect(await codeOf({ key: '' })).toBe('channel.key-required');
  expect(await codeOf({ models: '' })).toBe('channel.models-required');
  expect(await codeOf({ model_mapping: '{' })).toBe('channel.json-invalid');
  expect(await codeOf({ priority: -1_000 })).toBe('channel.priority-invalid');
  expect(await codeOf({ weight: 1.5 })).toBe('request.invalid');
  expect(await change({ id: 77, weight: 1 })).toMatchObject({ code: 'channel.unknown' });
  expect(side.events('ChannelCreated')).toEqual([]);
});

test('a key of a form that its provider could not use is refused when it is saved', async () => {
  const spark = { type: 18, models: 'SparkDesk' };
  const { body } = await create({ ...spark, key: 'app|secret|key\napp|secret' });
  expect(body).toMatchObject({
    code: 'channel.key-form',
    message: 'The key must have the form APPID|APISecret|APIKey',
  });
  const region = { type: 41, models: 'gemini-2.0-flash', other: 'us-central1' };
  expect((await create({ ...region, key: '{"client_email":"a@b.c"}' })).body).toMatchObject({
    code: 'channel.key-form',
  });
  expect(side.events('ChannelCreated')).toEqual([]);
  const account = '{\n"client_email":"a@b.c",\n"private_key":"k"\n}';
  expect((await create({ ...region, key: account })).body).toMatchObject({ data: { ids: [1] } });
  await create({ ...spark, key: 'app|secret|key' });
  expect(await change({ id: 2, key: 'app|secret' })).toMatchObject({ code: 'channel.key-form' });
  expect(await change({ id: 2, weight: 7 })).toMatchObject({ data: { weight: 7 } });
});

test('a refusal names the mapping as the form does', async () => {
  const { body } = await create({ model_mapping: '{' }, { 'accept-language': 'zh-CN' });
  expect(body).toMatchObject({
    code: 'channel.json-invalid',
    message: '模型映射必须是合法的 JSON 格式！',
  });
});

test('a copy takes key and settings of the original', async () => {
  await create({ priority: 3 });
  await change({ id: 1, status: 2 });
  const { body } = await root.call('POST', '/api/channel/', {
    body: { copy_from: 1, name: 'main copy' },
  });
  expect(body).toMatchObject({ data: { ids: [2] } });
  const [original, copy] = side.events<{ sealedKey: string; settings: object }>('ChannelCreated');
  expect(copy).toMatchObject({ status: 2 });
  const open = (sealed = '', channelId = 0) => testVault.unseal(sealed, channelKeyPlace(channelId));
  expect(open(copy?.sealedKey, 2)).toBe(open(original?.sealedKey, 1));
  expect(() => open(original?.sealedKey, 2)).toThrow();
  expect(copy?.settings).toMatchObject({ name: 'main copy', priority: 3 });
});

test('batches count what they really did', async () => {
  await create({ key: 'a\nb\nc' });
  const post = async (url: string, body: object) => (await root.call('POST', url, { body })).body;
  expect(await post('/api/channel/batch/tag', { ids: [1, 2, 99], tag: 't' })).toMatchObject({
    data: 2,
  });
  expect(await post('/api/channel/tag/disabled', { tag: 't' })).toMatchObject({ success: true });
  expect((await root.call('DELETE', '/api/channel/disabled')).body).toMatchObject({ data: 2 });
  expect(await post('/api/channel/batch', { ids: [1, 3] })).toMatchObject({ data: 1 });
  expect(await post('/api/channel/batch', { ids: [] })).toMatchObject({ code: 'request.invalid' });
});

test('a tag is edited for all its channels, and dissolved by an empty name', async () => {
  await create({ key: 'a\nb', tag: 't' });
  const edit = (body: object) =>
    root.call('PUT', '/api/channel/tag', { body: { tag: 't', ...body } });
  await edit({ models: 'o3', weight: 0, priority: 5, groups: '', model_mapping: '' });
  expect(side.events('ChannelChanged')).toMatchObject([
    { settings: { models: ['o3'], priority: 5, groups: ['default'], tag: 't' } },
    { settings: { models: ['o3'], priority: 5 } },
  ]);
  await edit({ new_tag: '' });
  expect(await change({ id: 2, priority: 5 })).toMatchObject({ data: { tag: '' } });
});

const replies = (reply: Partial<ChannelTestReply>) =>
  side.bus.serve('relay.test-channel', async ({ model }: { model: string }) => ({
    success: true,
    message: '',
    responseTimeMs: 1_250,
    model,
    ...reply,
  }));

test('a test is made by a relay, recorded, and answered in seconds', async () => {
  await create();
  await replies({});
  const { body } = await root.call('GET', '/api/channel/test/1');
  expect(body).toEqual({ success: true, message: '', time: 1.25 });
  expect(side.events('ChannelTested')).toMatchObject([
    { channelId: 1, model: 'gpt-4o', success: true, responseTimeMs: 1_250 },
  ]);
  await root.call('GET', '/api/channel/test/1?model=o3');
  expect(side.events('ChannelTested')).toMatchObject([{}, { model: 'o3' }]);
});

test('a failed test answers the words of the provider and changes no status', async () => {
  await create();
  await replies({ success: false, message: '401 bad key' });
  const { body } = await root.call('GET', '/api/channel/test/1/');
  expect(body).toMatchObject({ success: false, message: '401 bad key', time: 1.25 });
  expect(await change({ id: 1, weight: 1 })).toMatchObject({ data: { status: 1 } });
});

test('without a relay a test fails with that reason', async () => {
  await create();
  const { body } = await root.call('GET', '/api/channel/test/1');
  expect(body).toMatchObject({ success: false, code: 'channel.no-relay' });
  expect(side.events('ChannelTested')).toEqual([]);
});

test('a round tests what is not switched off manually, and disables what is too slow', async () => {
  await options({ AutomaticDisableChannelEnabled: 'true', ChannelDisableThreshold: '1' });
  await create({ key: 'a\nb' });
  await change({ id: 2, status: 2 });
  await replies({});
  const { body } = await root.call('GET', '/api/channel/test');
  expect(body).toMatchObject({ success: true });
  await expect.poll(() => side.events('ChannelAutoDisabled')).toMatchObject([{ channelId: 1 }]);
  expect(side.events('ChannelTested')).toHaveLength(1);
});

test('a round disables a channel whose provider refuses its key', async () => {
  await options({ AutomaticDisableChannelEnabled: 'true' });
  await create();
  await replies({ success: false, isFailing: true, message: 'status 401: bad key' });
  await root.call('GET', '/api/channel/test');
  await expect
    .poll(() => side.events('ChannelAutoDisabled'))
    .toMatchObject([{ channelId: 1, reason: 'status 401: bad key' }]);
});

test('a round leaves a channel on whose test failed for another reason', async () => {
  await options({ AutomaticDisableChannelEnabled: 'true' });
  await create();
  await replies({ success: false, message: 'The upstream did not answer in time' });
  await root.call('GET', '/api/channel/test');
  await expect.poll(() => side.events('ChannelTested')).toHaveLength(1);
  expect(side.events('ChannelAutoDisabled')).toEqual([]);
});

test('a requested round reports its end to the first administrator', async () => {
  await options({ SMTPServer: 'mail.test', SMTPAccount: 'gate@mail.test' });
  await root.call('PUT', '/api/user/setting', {
    body: {
      notify_type: 'email',
      quota_warning_threshold: 1_000,
      notification_email: 'root@mail.test',
    },
  });
  await create({ key: 'a\nb' });
  await replies({});
  await root.call('GET', '/api/channel/test');
  await expect.poll(() => side.mails.length).toBe(1);
  expect(side.mails[0]?.subject).toContain('通道测试完成');
  const jobs = (await root.call('GET', '/api/jobs')).body.data as readonly {
    name: string;
    runs: readonly object[];
  }[];
  expect(jobs.find(({ name }) => name === 'channel-test')?.runs).toMatchObject([
    { outcome: 'done', asked_by: root.userId, figures: { tested: 2, failed: 0 } },
  ]);
});

test('a channel that works again is enabled by a round, where the operator configured that', async () => {
  await options({ AutomaticDisableChannelEnabled: 'true', AutomaticEnableChannelEnabled: 'true' });
  await create();
  const failing = { channelId: 1, reason: 'invalid key', occurredAt: '2026-03-01T08:00:00.000Z' };
  side.bus.publish<ChannelFailing>('channel.failing', failing);
  await expect
    .poll(() => side.events('ChannelAutoDisabled'))
    .toMatchObject([{ reason: 'invalid key' }]);
  await replies({ responseTimeMs: 10 });
  await root.call('GET', '/api/channel/test');
  await expect.poll(() => side.events('ChannelAutoEnabled')).toHaveLength(1);
});

test('a failing channel stays enabled where the operator did not configure more', async () => {
  await create();
  const failing = { channelId: 1, reason: 'invalid key', occurredAt: '2026-03-01T08:00:00.000Z' };
  side.bus.publish<ChannelFailing>('channel.failing', failing);
  await change({ id: 1, weight: 2 });
  expect(side.events('ChannelAutoDisabled')).toEqual([]);
});

test('models are read from the provider with the stored key', async () => {
  const stopRelay = await serveAccounts(side.bus);
  const seen: (string | undefined)[] = [];
  const provider: Server = createServer((request, response) => {
    seen.push(request.headers.authorization);
    response.end(JSON.stringify({ data: [{ id: 'a' }, { id: 'b' }] }));
  });
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
  const base_url = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
  await create({ base_url, key: 'sk-stored' });
  expect((await root.call('GET', '/api/channel/fetch_models/1')).body).toMatchObject({
    data: ['a', 'b'],
  });
  const unsaved = { base_url, type: 1, key: 'sk-unsaved\nsk-other' };
  await root.call('POST', '/api/channel/fetch_models', { body: unsaved });
  expect(seen).toEqual(['Bearer sk-stored', 'Bearer sk-unsaved']);
  await new Promise((resolve) => provider.close(resolve));
  const { body } = await root.call('GET', '/api/channel/fetch_models/1');
  expect(body).toMatchObject({ success: false, code: 'channel.models-not-fetched' });
  await stopRelay();
  const alone = await root.call('GET', '/api/channel/fetch_models/1');
  expect(alone.body).toMatchObject({ success: false, code: 'channel.no-relay' });
});

test('a creation that is sent again under its key makes the same channels once', async () => {
  const headers = { 'idempotency-key': 'wish-1' };
  const first = await create({ key: 'a\nb' }, headers);
  expect((await create({ key: 'a\nb' }, headers)).body).toEqual(first.body);
  expect(side.events('ChannelCreated')).toHaveLength(2);
});
