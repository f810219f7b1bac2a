import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  type Answer,
  aChannel,
  chatAnswer,
  chatBody,
  type Harness,
  json,
  startHarness,
  startUpstream,
  type UpstreamSpy,
  usageOf,
} from '../../tests/support/relay/relay-harness.ts';

let relay: Harness;
let upstream: UpstreamSpy;
let answers: Record<string, Answer>;

beforeEach(async () => {
  relay = await startHarness();
  answers = {};
  upstream = await startUpstream((req, res, body) => {
    const key = (req.headers.authorization ?? '').slice(-1);
    (answers[key] ?? json(chatAnswer(usageOf(1, 1))))(req, res, body);
  });
});
afterEach(async () => {
  upstream.close();
  await relay.close();
});

const put = (id: number, settings: Parameters<typeof aChannel>[1]) =>
  relay.put.channel(aChannel(id, { baseUrl: upstream.url, ...settings }));
/** "word " is one token, so the prompt has a little more than `words`. */
const prompt = (words: number): object => ({
  messages: [{ role: 'user', content: 'word '.repeat(words) }],
});
const chat = (body: object) => relay.send('/v1/chat/completions', chatBody(body));
const channelsAsked = () =>
  upstream.requests.map(({ headers }) => Number((headers.authorization ?? '').slice(-1)));

describe('a channel with a limit of prompt tokens', () => {
  test('serves what is within it and leaves the rest to others', async () => {
    await put(1, { priority: 10, maxInputTokens: 1_000 });
    await put(2, { priority: 0 });
    for (const words of [10, 900, 1_100]) expect((await chat(prompt(words))).status).toBe(200);
    expect(channelsAsked()).toEqual([1, 1, 2]);
  });

  test('is not tried either when another one fails', async () => {
    await relay.put.option('RetryTimes', '3');
    await put(1, { priority: 10 });
    await put(2, { priority: 5, maxInputTokens: 100 });
    answers['1'] = json({ error: { message: 'x' } }, 500);
    expect((await chat(prompt(500))).status).toBe(500);
    expect(new Set(channelsAsked())).toEqual(new Set([1]));
  });

  test('refuses a longer prompt when no other serves the model, and names the maximum', async () => {
    await put(1, { maxInputTokens: 1_000 });
    await put(2, { maxInputTokens: 2_000 });
    const reply = await chat(prompt(3_000));
    expect(reply.status).toBe(400);
    const { error } = JSON.parse(reply.text);
    expect(error).toMatchObject({ code: 'context_length_exceeded', type: 'invalid_request_error' });
    expect(error.message).toMatch(/has 30\d\d tokens; .* more than 2000/);
    expect(upstream.requests).toEqual([]);
    expect(relay.journal.startedEntries).toEqual([]);
  });

  test('counts pictures, which are short as addresses', async () => {
    await put(1, { priority: 10, maxInputTokens: 700 });
    await put(2, { priority: 0 });
    const image = { type: 'image_url', image_url: { url: 'https://pictures.example/a.png' } };
    await chat({ messages: [{ role: 'user', content: [image] }] });
    expect(channelsAsked()).toEqual([2]);
  });

  test('may be lifted again', async () => {
    await put(1, { maxInputTokens: 100 });
    expect((await chat(prompt(500))).status).toBe(400);
    await put(1, {});
    expect((await chat(prompt(500))).status).toBe(200);
  });
});
