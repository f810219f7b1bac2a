import Anthropic from '@anthropic-ai/sdk';
import { ApiError, GoogleGenAI } from '@google/genai';
import OpenAI from 'openai';
import { describe, expect, test } from 'vitest';
import {
  aToken,
  chatAnswer,
  chatBody,
  chunkEvent,
  doneEvent,
  json,
  rawKey,
  usageChunk,
  usageOf,
} from '../support/relay/relay-harness.ts';
import { oneChannel } from '../support/relay/scene.ts';

const scene = oneChannel();
const apiKey = `sk-${rawKey}`;
const model = 'gpt-4o-mini';
const messages = [{ role: 'user' as const, content: 'Hello' }];
const ask = { model, messages };

const limitUser = (limits: object): Promise<void> =>
  scene.relay.put.option('call_limits.users', JSON.stringify({ '*': limits }));
const limitToken = (limits: object): Promise<void> =>
  scene.relay.put.token(rawKey, aToken({ limits }));

const baseURL = (): string => `http://127.0.0.1:${scene.relay.port}`;
const openAi = (more: object = {}): OpenAI =>
  new OpenAI({ apiKey, baseURL: `${baseURL()}/v1`, maxRetries: 0, ...more });
const anthropic = (more: object = {}): Anthropic =>
  new Anthropic({ apiKey, baseURL: baseURL(), maxRetries: 0, ...more });

const thrownBy = async (work: PromiseLike<unknown>): Promise<unknown> => {
  try {
    await work;
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
};

/** Attempts of a client library, as they go over the wire. */
const watched = () => {
  const attempts: { status: number; atMs: number }[] = [];
  const watchedFetch = async (...call: Parameters<typeof fetch>): Promise<Response> => {
    const atMs = performance.now();
    const response = await fetch(...call);
    attempts.push({ status: response.status, atMs });
    return response;
  };
  return { attempts, fetch: watchedFetch };
};

/** An answer that the provider keeps back until the test releases it. */
const heldAnswer = () => {
  let release = (): void => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const seen = new Promise<void>((resolve) => {
    scene.answer = (req, res, body) => {
      resolve();
      void released.then(() => json(chatAnswer(usageOf(10, 5)))(req, res, body));
    };
  });
  return { release: () => release(), seen };
};

const eventually = async (check: () => Promise<boolean>): Promise<void> => {
  const deadline = performance.now() + 20_000;
  while (!(await check())) {
    if (performance.now() > deadline) throw new Error('it did not happen');
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
};

describe('a caller of OpenAI’s protocol', () => {
  test('is refused beyond the limit in the shape that its library reads', async () => {
    await limitUser({ requests_per_minute: 2 });
    const { response } = await openAi().chat.completions.create(ask).withResponse();
    expect(response.headers.get('x-ratelimit-limit-requests')).toBe('2');
    expect(response.headers.get('x-ratelimit-remaining-requests')).toBe('1');
    expect(response.headers.get('x-ratelimit-reset-requests')).toMatch(/^(59s|1m[01]s)$/);
    expect(response.headers.get('x-request-id')).not.toBeNull();
    await openAi().chat.completions.create(ask);
    const error = await thrownBy(openAi().chat.completions.create(ask));
    if (!(error instanceof OpenAI.RateLimitError)) throw error;
    expect(error).toMatchObject({ status: 429, code: 'rate_limit_exceeded', type: 'requests' });
    expect(error.message).toContain('This user may make at most 2 requests in a minute');
    expect(Number(error.headers.get('retry-after'))).toBeGreaterThan(55);
    expect(error.headers.get('x-ratelimit-remaining-requests')).toBe('0');
    expect(error.requestID).toBe(error.headers.get('x-request-id'));
    expect(scene.upstream.requests).toHaveLength(2);
    expect(scene.relay.journal.startedEntries).toHaveLength(2);
  });

  test('waits as long as the response demands, and its second attempt is answered', async () => {
    await limitUser({ concurrent_requests: 1 });
    const { seen, release } = heldAnswer();
    const first = scene.chat();
    await seen;
    const { attempts, fetch } = watched();
    const second = openAi({ maxRetries: 1, fetch }).chat.completions.create(ask);
    await eventually(async () => attempts.length === 1);
    release();
    expect((await first).status).toBe(200);
    expect((await second).choices).toHaveLength(1);
    expect(attempts.map(({ status }) => status)).toEqual([429, 200]);
    // Without the header the library would wait for half a second.
    expect((attempts[1]?.atMs ?? 0) - (attempts[0]?.atMs ?? 0)).toBeGreaterThan(990);
  });

  test('sees the tokens that are left, by what the call really took', async () => {
    await limitToken({ tokensPerMinute: 10_000 });
    scene.answer = json(chatAnswer(usageOf(1_000, 500)));
    await scene.chat({ max_tokens: 5_000 });
    await scene.relay.journal.used(0);
    const { response } = await openAi()
      .chat.completions.create({ ...ask, max_tokens: 100 })
      .withResponse();
    const { headers } = response;
    expect(headers.get('x-ratelimit-limit-tokens')).toBe('10000');
    const left = Number(headers.get('x-ratelimit-remaining-tokens'));
    expect(left).toBeGreaterThan(8_300);
    expect(left).toBeLessThan(8_400);
  });

  test('is refused a prompt that no minute has room for, and does not send it again', async () => {
    await limitToken({ tokensPerMinute: 100 });
    const { attempts, fetch } = watched();
    const long = [{ role: 'user' as const, content: 'word '.repeat(500) }];
    const client = openAi({ maxRetries: 2, fetch });
    const error = await thrownBy(client.chat.completions.create({ model, messages: long }));
    if (!(error instanceof OpenAI.RateLimitError)) throw error;
    expect(error).toMatchObject({ type: 'tokens' });
    expect(attempts).toHaveLength(1);
  });
});

describe('a caller of Anthropic’s protocol', () => {
  const say = { model, max_tokens: 16, messages };

  test('is refused beyond the limit in the shape that its library reads', async () => {
    await limitToken({ requestsPerMinute: 1, tokensPerMinute: 50_000 });
    const { response } = await anthropic().messages.create(say).withResponse();
    const { headers } = response;
    expect(headers.get('anthropic-ratelimit-requests-limit')).toBe('1');
    expect(headers.get('anthropic-ratelimit-requests-remaining')).toBe('0');
    expect(headers.get('anthropic-ratelimit-tokens-limit')).toBe('50000');
    const reset = Date.parse(headers.get('anthropic-ratelimit-requests-reset') ?? '');
    expect(reset - Date.now()).toBeGreaterThan(50_000);
    expect(headers.get('request-id')).toBe(headers.get('x-request-id'));
    const error = await thrownBy(anthropic().messages.create(say));
    if (!(error instanceof Anthropic.RateLimitError)) throw error;
    expect(error.error).toMatchObject({ type: 'error', error: { type: 'rate_limit_error' } });
    expect(error.requestID).not.toBeNull();
    expect(Number(error.headers.get('retry-after'))).toBeGreaterThan(55);
  });

  test('waits as long as the response demands, and its second attempt is answered', async () => {
    await limitUser({ concurrent_requests: 1 });
    const { seen, release } = heldAnswer();
    const first = scene.chat();
    await seen;
    const { attempts, fetch } = watched();
    const second = anthropic({ maxRetries: 1, fetch }).messages.create(say);
    await eventually(async () => attempts.length === 1);
    release();
    await first;
    expect((await second).role).toBe('assistant');
    expect(attempts.map(({ status }) => status)).toEqual([429, 200]);
    expect((attempts[1]?.atMs ?? 0) - (attempts[0]?.atMs ?? 0)).toBeGreaterThan(990);
  });
});

test('a caller of Gemini’s protocol is refused in the shape that its library reads', async () => {
  await limitUser({ requests_per_minute: 1 });
  const client = new GoogleGenAI({ apiKey, httpOptions: { baseUrl: baseURL() } });
  const answer = await client.models.generateContent({ model, contents: 'Hello' });
  expect(answer.text).toBe('Hi there');
  const error = await thrownBy(client.models.generateContent({ model, contents: 'Hello' }));
  if (!(error instanceof ApiError)) throw error;
  expect(error.status).toBe(429);
  expect(JSON.parse(error.message).error).toMatchObject({
    code: 429,
    status: 'RESOURCE_EXHAUSTED',
  });
});

describe('limits', () => {
  const statuses = async (count: number): Promise<readonly number[]> => {
    const all: number[] = [];
    for (let at = 0; at < count; at += 1) all.push((await scene.chat()).status);
    return all;
  };

  test('of a group and of a model count the calls of all users together', async () => {
    await scene.relay.put.option('call_limits.groups', '{"default":{"requests_per_minute":3}}');
    await scene.relay.put.option('call_limits.models', `{"${model}":{"requests_per_minute":2}}`);
    const replies = [await scene.chat(), await scene.chat(), await scene.chat()];
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 429]);
    expect(replies[2]?.text).toContain('This model may make at most 2 requests');
    const other = () =>
      scene.relay.send(
        '/v1/completions',
        JSON.stringify({ model: 'gpt-3.5-turbo-instruct', prompt: 'Hi' }),
      );
    expect((await other()).status).toBe(200);
    expect((await other()).text).toContain('This group may make at most 3 requests');
  });

  test('of a user follow the most particular entry', async () => {
    await scene.relay.put.option(
      'call_limits.users',
      JSON.stringify({
        '7': { requests_per_minute: 2 },
        'group:default': { requests_per_minute: 1 },
        '*': { requests_per_minute: 1 },
      }),
    );
    expect(await statuses(3)).toEqual([200, 200, 429]);
  });

  test('count neither what was refused for its form nor what quota did not cover', async () => {
    await limitUser({ requests_per_minute: 2, concurrent_requests: 1 });
    expect((await scene.chat({ messages: [] })).status).toBe(400);
    const { funds } = scene.relay.leases;
    scene.relay.leases.funds = 0;
    expect((await scene.chat()).status).toBe(429);
    scene.relay.leases.funds = funds;
    expect(await statuses(3)).toEqual([200, 200, 429]);
  });

  test('of calls at a time are free again after every failure of a provider', async () => {
    await limitUser({ concurrent_requests: 1 });
    scene.answer = (_req, res) => res.destroy();
    expect((await scene.chat()).status).toBe(500);
    scene.answer = json({ error: { message: 'no', type: 'invalid_request_error' } }, 400);
    expect((await scene.chat()).status).toBe(400);
    scene.answer = json(chatAnswer(usageOf(1, 1)));
    expect(await statuses(2)).toEqual([200, 200]);
  });

  test('of calls at a time count a call that its caller left until the provider has ended', async () => {
    await limitUser({ concurrent_requests: 1 });
    let finish = (): void => {};
    scene.answer = (_req, res) => {
      res.writeHead(200, { 'content-type': 'text/event-stream' });
      res.write(chunkEvent('Hi'));
      finish = () => res.end(usageChunk(usageOf(5, 5)) + doneEvent);
    };
    const leaving = new AbortController();
    const stream = await openAi().chat.completions.create(
      { ...ask, stream: true },
      { signal: leaving.signal },
    );
    const closed = scene.relay.nextClose();
    leaving.abort();
    await closed;
    stream.controller.abort();
    expect((await scene.chat()).status).toBe(429);
    finish();
    scene.answer = json(chatAnswer(usageOf(1, 1)));
    await scene.relay.journal.used(0);
    await eventually(async () => (await scene.chat()).status === 200);
  });

  test('that are taken away hold no longer', async () => {
    await limitUser({ requests_per_minute: 1 });
    expect(await statuses(2)).toEqual([200, 429]);
    await scene.relay.put.option('call_limits.users', '{}');
    const reply = await scene.relay.send('/v1/chat/completions', chatBody());
    expect(reply.status).toBe(200);
    expect(Object.keys(reply.headers).filter((name) => name.includes('ratelimit'))).toEqual([]);
  });
});
