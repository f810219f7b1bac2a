import { countTokens as exactCl100k } from 'gpt-tokenizer/encoding/cl100k_base';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  type Answer,
  aChannel,
  aToken,
  json,
  rawKey,
} from '../../tests/support/relay/relay-harness.ts';
import { relayScene } from '../../tests/support/relay/scene.ts';

const scene = relayScene({ usual: json({}), hasChannel: false });

const put = (type: number, more: object = {}) =>
  scene.relay.put.channel(aChannel(1, { type, baseUrl: scene.upstream.url, ...more }));
const sent = () => {
  const last = scene.upstream.requests.at(-1);
  return { path: last?.path, headers: last?.headers, body: JSON.parse(String(last?.body)) };
};

const words = 'The weather report of the coast says rain, wind and some sun. '.repeat(40);
const exact = exactCl100k(words);
const model = 'claude-sonnet-4';
const question = (more: object = {}): string =>
  JSON.stringify({ model, messages: [{ role: 'user', content: words }], ...more });
const ofClaude = async (body = question()) => {
  const reply = await scene.relay.send('/v1/messages/count_tokens', body);
  return { status: reply.status, body: JSON.parse(reply.text) };
};

const gemini = 'gemini-2.5-pro';
const contents = [{ role: 'user', parts: [{ text: words }] }];
const ofGemini = async (body: object) => {
  const reply = await scene.relay.send(
    `/v1beta/models/${gemini}:countTokens`,
    JSON.stringify(body),
  );
  return { status: reply.status, body: JSON.parse(reply.text) };
};

describe('a channel of Claude counts for callers of the Messages API', () => {
  test('by its own call, which costs nothing', async () => {
    await put(14, { models: [model], modelMapping: `{"${model}":"claude-sonnet-4-5"}` });
    scene.answer = json({ input_tokens: 4_321 });
    const system = 'Be brief';
    const body = question({ system, max_tokens: 64, temperature: 1 });
    expect(await ofClaude(body)).toEqual({ status: 200, body: { input_tokens: 4_321 } });
    const { path, headers, body: asked } = sent();
    expect(path).toBe('/v1/messages/count_tokens');
    expect(headers).toMatchObject({ 'x-api-key': expect.stringMatching(/.+/) });
    const messages = [{ role: 'user', content: words }];
    expect(asked).toEqual({ model: 'claude-sonnet-4-5', system, messages });
    expect(scene.relay.journal.startedEntries).toEqual([]);
  });

  test.each<[string, Answer]>([
    ['refuses', json({ type: 'error', error: { type: 'not_found_error', message: 'No' } }, 404)],
    ['is overloaded', json({ type: 'error', error: { type: 'overloaded_error' } }, 529)],
    ['answers no number', json({ input_tokens: 'many' })],
    ['answers less than nothing', json({ input_tokens: -1 })],
    ['answers no JSON', (_req, res) => res.end('<html>')],
    ['closes the connection', (_req, res) => res.destroy()],
  ])('by the count of the relay where it %s', async (_what, given) => {
    await put(14, { models: [model] });
    scene.answer = given;
    const { status, body } = await ofClaude();
    expect(scene.upstream.requests).toHaveLength(1);
    expect(status).toBe(200);
    expect(Math.abs(body.input_tokens - exact)).toBeLessThan(20);
  });
});

describe('a channel of Gemini counts for callers of generateContent', () => {
  const instruction = { systemInstruction: { parts: [{ text: 'Be brief' }] } };

  test.each([
    ['of contents', { contents, ...instruction }],
    ['of a whole request', { generateContentRequest: { contents, ...instruction } }],
  ])('by its own call %s', async (_what, body) => {
    await put(24, { models: [gemini], modelMapping: `{"${gemini}":"gemini-3-pro"}` });
    scene.answer = json({ totalTokens: 4_321 });
    expect(await ofGemini(body)).toEqual({ status: 200, body: { totalTokens: 4_321 } });
    const { path, body: asked } = sent();
    expect(path).toBe('/v1beta/models/gemini-3-pro:countTokens');
    const generateContentRequest = { model: 'models/gemini-3-pro', contents, ...instruction };
    expect(asked).toEqual({ generateContentRequest });
  });

  test('by the count of the relay where it refuses', async () => {
    await put(24, { models: [gemini] });
    scene.answer = json({ error: { code: 400, message: 'No' } }, 400);
    for (const body of [{ contents }, { generateContentRequest: { contents } }]) {
      const { status, body: counted } = await ofGemini(body);
      expect(status).toBe(200);
      expect(Math.abs(counted.totalTokens - exact)).toBeLessThan(20);
    }
    expect(scene.upstream.requests).toHaveLength(2);
  });
});

describe('the relay alone counts', () => {
  test.each([
    ['on a channel of another protocol', 1, question()],
    ['a long prompt', 14, question({ system: words.repeat(300) })],
  ])('%s', async (_what, type, body) => {
    await put(type, { models: [model] });
    const counted = await ofClaude(body);
    expect(counted.status).toBe(200);
    expect(counted.body.input_tokens).toBeGreaterThan(exact - 1);
    expect(scene.upstream.requests).toEqual([]);
  });
});

describe('a count is a request of its caller', () => {
  beforeEach(() => scene.relay.put.token(rawKey, aToken({ limits: { requestsPerMinute: 1 } })));

  test('that takes no tokens', async () => {
    await put(14, { models: [model] });
    scene.answer = json({ input_tokens: 4_321 });
    expect((await ofClaude()).status).toBe(200);
    const { status, body } = await ofClaude();
    expect(status).toBe(429);
    expect(body.error.type).toBe('rate_limit_error');
    expect(scene.upstream.requests).toHaveLength(1);
  });

  test('whose refusal gives clients of Gemini the time of the next attempt', async () => {
    await put(24, { models: [gemini] });
    scene.answer = json({ totalTokens: 7 });
    expect((await ofGemini({ contents })).status).toBe(200);
    const { status, body } = await ofGemini({ contents });
    expect(status).toBe(429);
    expect(body.error.details).toEqual([
      {
        '@type': 'type.googleapis.com/google.rpc.RetryInfo',
        retryDelay: expect.stringMatching(/^[1-9]\d*s$/),
      },
    ]);
  });
});

describe('a count is refused as a call is', () => {
  beforeEach(async () => {
    await put(14, { models: [model] });
    scene.answer = json({ input_tokens: 4_321 });
  });
  afterEach(() => expect(scene.upstream.requests).toEqual([]));

  test.each([
    ['from another address', { allowIps: ['10.0.0.0/8'] }],
    ['of another model', { modelLimits: ['gpt-4o-mini'] }],
    ['in a group that is not open', { group: 'closed' }],
  ])('%s', async (_what, terms) => {
    await scene.relay.put.token(rawKey, aToken(terms));
    expect((await ofClaude()).status).toBe(403);
  });

  test('with a word of the list', async () => {
    await scene.relay.put.option('SensitiveWords', 'coast');
    expect((await ofClaude()).status).toBe(400);
  });
});
