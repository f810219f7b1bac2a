import { GoogleGenAI } from '@google/genai';
import OpenAI from 'openai';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ChannelSettings } from '../../../domain/channel/events.ts';
import {
  book,
  type CacheHarness,
  startCacheHarness,
} from '../../../tests/support/relay/cache-harness.ts';
import {
  aChannel,
  rawKey,
  sealedFor,
  startUpstream,
  type UpstreamSpy,
} from '../../../tests/support/relay/relay-harness.ts';
import {
  createStubCaches,
  type StubCaches,
  vertexApi,
} from '../../../tests/support/stub-provider/caches.ts';
import {
  accountSecrets,
  playedHosts,
  serviceAccount,
  stubAccessToken,
  stubProject,
} from '../../../tests/support/stub-provider/google-account.ts';

vi.mock('../../upstream/provider-io.ts', async (load) => {
  const { withGoogle } = await import('../../../tests/support/stub-provider/google-account.ts');
  return withGoogle(await load());
});

const model = 'gemini-2.5-flash';
const claude = 'claude-sonnet-4-5';
const region = 'us-central1';
const number = '111111111111';
const resource = `projects/${number}/locations/${region}/cachedContents/04567890123`;

let relay: CacheHarness;
let stub: StubCaches;
let upstream: UpstreamSpy;
const vertex = (settings: Partial<ChannelSettings> = {}, status: 1 | 2 = 1) => {
  const own = { type: 41, models: [model, claude], baseUrl: upstream.url, other: region };
  const channel = aChannel(3, { ...own, ...settings }, status);
  return relay.put.channel({ ...channel, sealedKey: sealedFor(3, serviceAccount) });
};
beforeEach(async () => {
  relay = await startCacheHarness();
  stub = createStubCaches(
    (key) => key === stubAccessToken,
    vertexApi({ project: stubProject, number, region }),
  );
  upstream = await startUpstream((req, res, body) => {
    const { method = 'GET', url = '/', headers } = req;
    stub.serve(res, { method, url, headers, body });
  });
  await relay.put.option('ModelRatio', JSON.stringify({ [model]: 1, [claude]: 1 }));
  await relay.put.option('CompletionRatio', JSON.stringify({ [model]: 4 }));
  await relay.put.option('CacheRatio', JSON.stringify({ [model]: 0.25 }));
  await vertex();
});
afterEach(async () => {
  upstream.close();
  await relay.close();
});

const create = (config: object = {}) =>
  relay.client.caches.create({ model, config: { contents: book, displayName: 'b', ...config } });
const made = async (): Promise<string> => (await create()).name ?? '';
const tokens = (): number => stub.caches[0]?.tokens ?? 0;
const ask = (cachedContent: string, client = relay.client) =>
  client.models.generateContent({ model, contents: 'Who wrote it?', config: { cachedContent } });

test('a cache of Vertex AI is made, read, changed, listed and deleted under a name of ours', async () => {
  const cache = await create({ ttl: '300s', systemInstruction: 'Be brief.' });
  const name = cache.name ?? '';
  expect(name).toMatch(/^cachedContents\/tg-/);
  expect(cache).toMatchObject({ model: `models/${model}`, displayName: 'b' });
  expect(stub.caches).toMatchObject([
    {
      name: resource,
      model: `projects/${stubProject}/locations/${region}/publishers/google/models/${model}`,
    },
  ]);
  for (const text of [number, stubProject, stubAccessToken, ...accountSecrets]) {
    expect(JSON.stringify(cache)).not.toContain(text);
  }
  expect(await relay.client.caches.get({ name })).toMatchObject({ name, model: `models/${model}` });
  const changed = await relay.client.caches.update({ name, config: { ttl: '7200s' } });
  expect(changed).toMatchObject({ name, model: `models/${model}` });
  expect(Date.parse(changed.expireTime ?? '') - Date.now()).toBeGreaterThan(7_000_000);
  expect((await relay.client.caches.list()).page.map((one) => one.name)).toEqual([name]);
  await relay.client.caches.delete({ name });
  expect(stub.caches).toEqual([]);
  await expect(relay.client.caches.get({ name })).rejects.toMatchObject({ status: 404 });
});

test('its creation is charged once, by the tokens that Google counted, in the name of its channel', async () => {
  await create();
  const { usage, call, task } = await relay.journal.used(0);
  expect(usage).toMatchObject({ promptTokens: tokens(), cacheCreationTokens: tokens() });
  expect(call.channelsTried).toEqual([3]);
  const due = Math.round(tokens() * 1.25);
  expect(task?.outcome).toMatchObject({ kind: 'accepted', quota: due, upstreamId: resource });
  expect(relay.leases.settled.map(({ amount }) => amount)).toEqual([due]);
  expect(relay.leases.open).toBe(0);
});

test('one that Google refuses costs nothing', async () => {
  await expect(create({ contents: 'short' })).rejects.toThrow('too small');
  expect((await relay.journal.failed(0)).statusCode).toBe(400);
  expect([relay.leases.open, relay.leases.settled.map(({ amount }) => amount)]).toEqual([0, [0]]);
});

test('a call reads it by its full resource name, and pays for cached tokens at their ratio', async () => {
  const name = await made();
  const answer = await ask(name);
  expect(answer.text).toBe('By the cache.');
  expect(stub.calls.map(({ cachedContent }) => cachedContent)).toEqual([resource]);
  const { usage } = await relay.journal.used(1);
  expect(usage).toMatchObject({ cachedTokens: tokens(), completionTokens: 4 });
  const fresh = usage.promptTokens - tokens();
  const due = Math.round(fresh + tokens() * 0.25 + 4 * 4);
  expect(relay.leases.settled.at(-1)?.amount).toBe(due);
});

test('so do a stream, and a chat of OpenAI', async () => {
  const name = await made();
  const config = { cachedContent: name };
  const asked = { model, contents: 'Who?', config };
  let text = '';
  for await (const chunk of await relay.client.models.generateContentStream(asked)) {
    text += chunk.text ?? '';
  }
  expect(text).toBe('By the cache.');
  const baseURL = `http://127.0.0.1:${relay.port}/v1`;
  const openai = new OpenAI({ apiKey: `sk-${rawKey}`, baseURL, maxRetries: 0 });
  const chat = await openai.chat.completions.create({
    model,
    messages: [{ role: 'user', content: 'Who?' }],
    extra_body: { google: { cached_content: name } },
  } as OpenAI.ChatCompletionCreateParamsNonStreaming);
  expect(chat.usage?.prompt_tokens_details?.cached_tokens).toBe(tokens());
  expect(stub.calls.map(({ cachedContent }) => cachedContent)).toEqual([resource, resource]);
});

test('countTokens counts its content', async () => {
  const cachedContent = await made();
  const contents = [{ role: 'user', parts: [{ text: 'Hi' }] }];
  const request = { model: `models/${model}`, contents, cachedContent };
  const body = JSON.stringify({ generateContentRequest: request });
  const { status, text } = await relay.send(`/v1beta/models/${model}:countTokens`, body);
  expect(status).toBe(200);
  expect(JSON.parse(text).totalTokens).toBeGreaterThan(tokens());
});

test('it belongs to its owner, and no name of Google goes up', async () => {
  const name = await made();
  const asked = upstream.requests.length;
  const { stranger } = relay;
  await expect(stranger.caches.get({ name })).rejects.toMatchObject({ status: 404 });
  await expect(stranger.caches.delete({ name })).rejects.toMatchObject({ status: 404 });
  expect((await stranger.caches.list()).page).toEqual([]);
  await expect(ask(name, stranger)).rejects.toMatchObject({ status: 404 });
  await expect(ask(resource)).rejects.toMatchObject({ status: 404 });
  expect(upstream.requests).toHaveLength(asked);
});

test('a call is sent to the channel that holds it, or reports that this is gone', async () => {
  const name = await made();
  await relay.gemini(1, { models: [model], priority: 9 });
  await ask(name);
  expect((await relay.journal.used(1)).call.channelsTried).toEqual([3]);
  const asked = relay.upstream.requests.length + upstream.requests.length;
  await vertex({}, 2);
  await expect(ask(name)).rejects.toThrow('The channel that holds this cached content is gone');
  expect(relay.upstream.requests.length + upstream.requests.length).toBe(asked);
});

test('it is requested where it is, though the channel names another region by now', async () => {
  const name = await made();
  await vertex({ other: 'europe-west4' });
  expect(await relay.client.caches.get({ name })).toMatchObject({ name });
  await relay.client.caches.delete({ name });
  expect(stub.caches).toEqual([]);
});

test('its region is that of the model, at a separate host', async () => {
  playedHosts.set(`${region}-aiplatform.googleapis.com`, upstream.url);
  await vertex({
    baseUrl: '',
    other: JSON.stringify({ default: 'europe-west4', [model]: region }),
  });
  expect(await create()).toMatchObject({ model: `models/${model}` });
  expect(stub.caches).toHaveLength(1);
  playedHosts.clear();
});

test('Claude has none there, and a channel without a region makes none', async () => {
  const config = { contents: book };
  const asked = relay.client.caches.create({ model: claude, config });
  await expect(asked).rejects.toThrow('no channel of it has them');
  await vertex({ other: '' });
  await expect(create()).rejects.toMatchObject({ status: 500 });
  expect([upstream.requests, relay.leases.open]).toEqual([[], 0]);
});

test("what goes up is what Google's own client for Vertex AI sends", async () => {
  const authClient = {
    getRequestHeaders: async () => new Headers({ authorization: `Bearer ${stubAccessToken}` }),
  };
  const google = new GoogleGenAI({
    vertexai: true,
    project: stubProject,
    location: region,
    googleAuthOptions: { authClient: authClient as never },
    httpOptions: { baseUrl: upstream.url, apiVersion: 'v1' },
  });
  const config = { contents: book, systemInstruction: 'Be brief.', displayName: 'b', ttl: '600s' };
  const theirs = await google.caches.create({ model, config });
  const ours = await relay.client.caches.create({ model, config });
  const sent = () =>
    upstream.requests.splice(0).map(({ path, body }) => [path, JSON.parse(String(body) || '{}')]);
  const [own, other] = sent();
  expect(other).toEqual(own);
  const ttl = { ttl: '900s' };
  await google.caches.update({ name: theirs.name ?? '', config: ttl });
  await relay.client.caches.update({ name: ours.name ?? '', config: ttl });
  const ask = { model, contents: 'Who?' };
  const cachedContent = theirs.name ?? '';
  await google.models.generateContent({ ...ask, config: { cachedContent } });
  await relay.client.models.generateContent({
    ...ask,
    config: { cachedContent: ours.name ?? '' },
  });
  const [first, second] = stub.caches.map(({ name }) => name);
  const renamed = JSON.stringify(sent()).replaceAll(second ?? '', first ?? '');
  const [change, ourChange, call, ourCall] = JSON.parse(renamed);
  expect(ourChange).toEqual(change);
  expect(ourCall).toEqual(call);
});
