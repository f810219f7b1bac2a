import OpenAI from 'openai';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  book,
  type CacheHarness,
  createBook,
  model,
  startCacheHarness,
} from '../../../tests/support/relay/cache-harness.ts';
import {
  aChannel,
  rawKey,
  startHarness,
  startUpstream,
} from '../../../tests/support/relay/relay-harness.ts';

let relay: CacheHarness;
let name: string;
beforeEach(async () => {
  relay = await startCacheHarness();
  name = (await createBook(relay.client)).name ?? '';
});
afterEach(() => relay.close());

const tokens = (): number => relay.stub.caches[0]?.tokens ?? 0;
const ask = (more: object = {}) =>
  relay.client.models.generateContent({
    model,
    contents: 'Who wrote it?',
    config: { cachedContent: name, ...more },
  });

test('a call that names a cache reads it, and pays for cached tokens at their own ratio', async () => {
  const answer = await ask();
  expect(answer.text).toBe('By the cache.');
  expect(answer.usageMetadata?.cachedContentTokenCount).toBe(tokens());
  const { usage } = await relay.journal.used(1);
  expect(usage).toMatchObject({ cachedTokens: tokens(), completionTokens: 4 });
  const fresh = usage.promptTokens - tokens();
  const due = Math.round(fresh + tokens() * 0.25 + 4 * 4);
  expect(relay.leases.settled.at(-1)?.amount).toBe(due);
});

test('however much it reads, all of it is accepted', async () => {
  const contents = book.repeat(20);
  const cache = await relay.client.caches.create({ model, config: { contents } });
  const config = { cachedContent: cache.name ?? '' };
  await relay.client.models.generateContent({ model, contents: 'Who?', config });
  expect(relay.stub.caches[1]?.tokens).toBeGreaterThan(40_000);
  expect((await relay.journal.used(2)).usage.cachedTokens).toBe(relay.stub.caches[1]?.tokens);
});

test('so does a stream', async () => {
  const config = { cachedContent: name };
  const stream = await relay.client.models.generateContentStream({
    model,
    contents: 'Who?',
    config,
  });
  let text = '';
  for await (const chunk of stream) text += chunk.text ?? '';
  expect(text).toBe('By the cache.');
  expect((await relay.journal.used(1)).usage.cachedTokens).toBe(tokens());
});

test('it is sent to the channel that holds the cache, though others precede it', async () => {
  const other = await startUpstream((_req, res) => void res.writeHead(500).end());
  await relay.gemini(2, { priority: 9, baseUrl: other.url });
  await ask();
  expect(other.requests).toEqual([]);
  expect((await relay.journal.used(1)).call.channelsTried).toEqual([1]);
  other.close();
});

test('it reports that the channel is gone, and calls no other', async () => {
  await relay.gemini(2, { priority: 9 });
  const asked = relay.upstream.requests.length;
  await relay.put.channel(
    aChannel(1, { type: 24, models: [model], baseUrl: relay.upstream.url }, 2),
  );
  await expect(ask()).rejects.toThrow('The channel that holds this cached content is gone');
  expect(relay.upstream.requests).toHaveLength(asked);
});

test('what is read from the cache is part of what the call has to be paid for', async () => {
  relay.leases.funds = 600;
  relay.leases.cold = true;
  await expect(ask({ maxOutputTokens: 4 })).rejects.toMatchObject({ status: 429 });
  relay.leases.funds = Math.ceil(tokens() * 0.25) + 100;
  expect((await ask({ maxOutputTokens: 4 })).text).toBe('By the cache.');
});

test('a name that is none of ours never goes up', async () => {
  const asked = relay.upstream.requests.length;
  const raw = relay.stub.caches[0]?.name ?? '';
  const path = `/v1beta/models/${model}:generateContent`;
  const contents = [{ role: 'user', parts: [{ text: 'Hi' }] }];
  const escaped = JSON.stringify({ contents, cachedContent: raw }).replace(
    'cachedC',
    'cached\\u0043',
  );
  const bodies = [
    JSON.stringify({ contents, cachedContent: raw }),
    JSON.stringify({ contents, cached_content: raw }),
    JSON.stringify({ contents, cachedContent: name, cached_content: raw }),
    `{"cachedContent":"${name}",${JSON.stringify({ contents, cachedContent: raw }).slice(1)}`,
    escaped,
  ];
  for (const body of bodies) {
    const { status } = await relay.send(path, body);
    expect([400, 404]).toContain(status);
  }
  expect(relay.upstream.requests).toHaveLength(asked);
  // The last of two equal names counts, as everywhere; the provider reads no other.
  const own = JSON.stringify({ contents, cachedContent: name });
  const { status } = await relay.send(
    path,
    `{"cachedContent":"cachedContents/foreign",${own.slice(1)}`,
  );
  expect(status).toBe(200);
  const sent = relay.upstream.requests.at(-1)?.body.toString() ?? '';
  expect(sent).toContain(raw);
  expect(sent).not.toContain('foreign');
});

test('a cache is of one model', async () => {
  await relay.gemini(1, { models: [model, 'gemini-1.5-pro'] });
  const config = { cachedContent: name };
  const other = { model: 'gemini-1.5-pro', contents: 'Hi', config };
  await expect(relay.client.models.generateContent(other)).rejects.toThrow(`of model ${model}`);
});

test('countTokens counts the content of the cache', async () => {
  const path = `/v1beta/models/${model}:countTokens`;
  const contents = [{ role: 'user', parts: [{ text: 'Hi' }] }];
  const request = { model: `models/${model}`, contents, cachedContent: name };
  const { status, text } = await relay.send(
    path,
    JSON.stringify({ generateContentRequest: request }),
  );
  expect(status).toBe(200);
  expect(JSON.parse(text).totalTokens).toBeGreaterThan(tokens());
  const foreign = {
    generateContentRequest: { ...request, cachedContent: 'cachedContents/up0x14' },
  };
  expect((await relay.send(path, JSON.stringify(foreign))).status).toBe(404);
});

test("OpenAI's protocol names a cache in extra_body, as Google's own address takes it", async () => {
  const baseURL = `http://127.0.0.1:${relay.port}/v1`;
  const openai = new OpenAI({ apiKey: `sk-${rawKey}`, baseURL, maxRetries: 0 });
  const call = (cached_content: string) =>
    openai.chat.completions.create({
      model,
      messages: [{ role: 'user', content: 'Who?' }],
      extra_body: { google: { cached_content } },
    } as OpenAI.ChatCompletionCreateParamsNonStreaming);
  const answer = await call(name);
  expect(answer.usage?.prompt_tokens_details?.cached_tokens).toBe(tokens());
  const raw = relay.stub.caches[0]?.name ?? '';
  await expect(call(raw)).rejects.toMatchObject({ status: 404, code: 'cached_content_not_found' });
});

test("the operator's instructions are in the cache, and not next to it", async () => {
  await relay.gemini(1, { setting: '{"system_prompt":"Be kind."}' });
  name = (await createBook(relay.client)).name ?? '';
  expect(relay.stub.caches.at(-1)?.order.systemInstruction).toEqual({
    parts: [{ text: 'Be kind.' }],
  });
  expect((await ask()).text).toBe('By the cache.');
});

test('a call of the Responses API that names one is refused by name', async () => {
  const body = JSON.stringify({ model, input: 'Who?', cachedContent: name });
  const refused = await relay.send('/v1/responses', body);
  expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('cachedContent')]);
});

test('while no read model answers, a call that names one gets an error that can be retried', async () => {
  const bare = await startHarness();
  await bare.put.option('ModelRatio', JSON.stringify({ [model]: 1 }));
  await bare.put.channel(aChannel(1, { type: 24, models: [model], baseUrl: relay.upstream.url }));
  const contents = [{ role: 'user', parts: [{ text: 'Hi' }] }];
  const body = JSON.stringify({ contents, cachedContent: name });
  const { status, headers } = await bare.send(`/v1beta/models/${model}:generateContent`, body);
  expect([status, headers['retry-after']]).toEqual([503, '1']);
  expect((await bare.get(`/v1beta/${name}`)).status).toBe(503);
  await bare.close();
});
