import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  book,
  type CacheHarness,
  createBook,
  model,
  startCacheHarness,
} from '../../../tests/support/relay/cache-harness.ts';
import { aChannel, aToken, rawKey } from '../../../tests/support/relay/relay-harness.ts';

let relay: CacheHarness;
beforeEach(async () => {
  relay = await startCacheHarness();
});
afterEach(() => relay.close());

test('a cache is made, read, changed, listed and deleted with the client of Google', async () => {
  const made = await createBook(relay.client, { ttl: '300s', systemInstruction: 'Be brief.' });
  expect(made.name).toMatch(/^cachedContents\/tg-/);
  expect(made).toMatchObject({ model: `models/${model}`, displayName: 'the book' });
  const [own] = relay.stub.caches;
  expect(made.usageMetadata?.totalTokenCount).toBe(own?.tokens);
  expect(JSON.stringify(made)).not.toContain(own?.name);
  const name = made.name ?? '';
  expect(await relay.client.caches.get({ name })).toMatchObject({ name, model: `models/${model}` });
  const changed = await relay.client.caches.update({ name, config: { ttl: '7200s' } });
  expect(Date.parse(changed.expireTime ?? '') - Date.now()).toBeGreaterThan(7_000_000);
  const listed = await relay.client.caches.list();
  expect(listed.page.map((one) => one.name)).toEqual([name]);
  await relay.client.caches.delete({ name });
  expect(relay.stub.caches).toEqual([]);
  await expect(relay.client.caches.get({ name })).rejects.toMatchObject({ status: 404 });
  expect((await relay.client.caches.list()).page).toEqual([]);
});

test('its creation is charged once, by the tokens that the provider counted', async () => {
  await createBook(relay.client);
  const tokens = relay.stub.caches[0]?.tokens ?? 0;
  const { usage, quote, call, task } = await relay.journal.used(0);
  expect(usage).toMatchObject({ promptTokens: tokens, cacheCreationTokens: tokens });
  expect(quote).toMatchObject({ kind: 'ratio', cacheCreationRatio: '1.25' });
  expect(call.task).toMatchObject({ platform: 'cache', action: 'CACHE' });
  const due = Math.round(tokens * 1.25);
  expect(task?.outcome).toMatchObject({ kind: 'accepted', quota: due });
  expect(relay.leases.settled.map(({ amount }) => amount)).toEqual([due]);
  expect(relay.leases.open).toBe(0);
});

test('a channel may have a separate ratio for it, which pays for the storage too', async () => {
  await relay.gemini(1, { setting: '{"cache_creation_ratio":"4.6"}' });
  await createBook(relay.client);
  const tokens = relay.stub.caches[0]?.tokens ?? 0;
  expect(relay.leases.settled.map(({ amount }) => amount)).toEqual([Math.round(tokens * 4.6)]);
});

test('a cache that the provider refuses, or that cannot be paid, costs nothing', async () => {
  const small = relay.client.caches.create({ model, config: { contents: 'short' } });
  await expect(small).rejects.toThrow('too small');
  expect((await relay.journal.failed(0)).statusCode).toBe(400);
  relay.leases.funds = 100;
  await expect(createBook(relay.client)).rejects.toMatchObject({ status: 429 });
  expect(relay.stub.caches).toEqual([]);
  expect(relay.leases.settled.map(({ amount }) => amount)).toEqual([0]);
});

test('a model whose channels have no caches is refused by name', async () => {
  const models = ['gemini-1.5-pro'];
  await relay.put.channel(aChannel(2, { type: 1, models, baseUrl: relay.upstream.url }));
  const asked = relay.client.caches.create({ model: 'gemini-1.5-pro', config: { contents: book } });
  await expect(asked).rejects.toMatchObject({ status: 400 });
  await expect(asked).rejects.toThrow('gemini-1.5-pro');
  expect(relay.upstream.requests).toEqual([]);
});

test('the name of another user is not found, and his caches are in no list', async () => {
  const { name = '' } = await createBook(relay.client);
  const asked = relay.upstream.requests.length;
  const { stranger } = relay;
  await expect(stranger.caches.get({ name })).rejects.toMatchObject({ status: 404 });
  const changed = stranger.caches.update({ name, config: { ttl: '60s' } });
  await expect(changed).rejects.toMatchObject({ status: 404 });
  await expect(stranger.caches.delete({ name })).rejects.toMatchObject({ status: 404 });
  expect((await stranger.caches.list()).page).toEqual([]);
  const config = { cachedContent: name };
  const call = stranger.models.generateContent({ model, contents: 'Who?', config });
  await expect(call).rejects.toMatchObject({ status: 404 });
  expect(relay.upstream.requests).toHaveLength(asked);
});

test('storage is bounded: a cache is kept for no longer than the channel allows', async () => {
  const long = createBook(relay.client, { ttl: '86400s' });
  await expect(long).rejects.toThrow('at most 10800 seconds');
  const { name = '' } = await createBook(relay.client, { ttl: '10800s' });
  const longer = relay.client.caches.update({ name, config: { ttl: '10900s' } });
  await expect(longer).rejects.toMatchObject({ status: 400 });
  await relay.gemini(1, { setting: '{"cache_max_seconds":600}' });
  await createBook(relay.client);
  expect(relay.stub.caches.at(-1)?.order.ttl).toBe('600s');
  await expect(createBook(relay.client, { ttl: '700s' })).rejects.toThrow('at most 600');
});

test('a list is read to its end, and what has expired leaves it', async () => {
  const names: string[] = [];
  for (let at = 0; at < 3; at += 1) names.unshift((await createBook(relay.client)).name ?? '');
  const seen: (string | undefined)[] = [];
  const pager = await relay.client.caches.list({ config: { pageSize: 2 } });
  for await (const { name } of pager) seen.push(name);
  expect(seen).toEqual(names);
  for (const cache of relay.stub.caches.slice(0, 2)) cache.expireTime = '2026-01-01T00:00:00Z';
  const left = await relay.client.caches.list();
  expect(left.page.map(({ name }) => name)).toEqual(names.slice(0, 1));
});

test('the key of the channel and the name of the model there stay with us', async () => {
  await relay.gemini(1, { modelMapping: JSON.stringify({ [model]: 'gemini-own-name' }) });
  const made = await createBook(relay.client, { displayName: 'of upstream-key-1' });
  expect(JSON.stringify(made)).not.toContain('upstream-key-1');
  expect(relay.stub.caches[0]?.model).toBe('models/gemini-own-name');
  expect(made.model).toBe(`models/${model}`);
  expect((await relay.journal.used(0)).call.upstreamModel).toBe('gemini-own-name');
  await relay.put.channel(
    aChannel(1, { type: 24, models: [model], baseUrl: relay.upstream.url }, 2),
  );
  await expect(createBook(relay.client)).rejects.toMatchObject({ status: 503 });
});

test('a text of megabytes is sent unchanged, without being parsed', async () => {
  const contents = book.repeat(200);
  await relay.client.caches.create({ model, config: { contents } });
  const sent = relay.upstream.requests.at(-1)?.body.toString('utf8') ?? '';
  expect(JSON.parse(sent).contents[0].parts[0].text).toBe(contents);
});

test('a provider that counts more than the order can hold is paid for what it can', async () => {
  relay.stub.overstated.by = 1_000_000;
  await createBook(relay.client);
  const { usage } = await relay.journal.used(0);
  expect(usage.cacheCreationTokens).toBeLessThan(book.length + 10_000);
});

test('its calls count for the limit of requests, and hold to the addresses of the key', async () => {
  await relay.put.option('ModelRequestRateLimitEnabled', 'true');
  await relay.put.option('ModelRequestRateLimitCount', '2');
  await createBook(relay.client);
  await relay.client.caches.list();
  await expect(relay.client.caches.list()).rejects.toMatchObject({ status: 429 });
  await relay.put.option('ModelRequestRateLimitEnabled', 'false');
  await relay.put.token(rawKey, aToken({ allowIps: ['10.9.8.7'] }));
  const asked = relay.upstream.requests.length;
  await expect(relay.client.caches.list()).rejects.toMatchObject({ status: 403 });
  await expect(createBook(relay.client)).rejects.toMatchObject({ status: 403 });
  expect(relay.upstream.requests).toHaveLength(asked);
});
