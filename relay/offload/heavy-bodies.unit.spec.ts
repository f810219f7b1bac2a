import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createMetrics } from '../../infra/metrics/create-metrics.ts';
import type { Workers } from '../../infra/ports/workers.ts';
import { entryPath } from '../../infra/processes/entry-paths.ts';
import { createWorkers } from '../../infra/workers/create-workers.ts';
import {
  type Answer,
  aChannel,
  chatAnswer,
  type Harness,
  json,
  sealedFor,
  startHarness,
  startUpstream,
  type UpstreamSpy,
  usageOf,
} from '../../tests/support/relay/relay-harness.ts';
import { silentLogger } from '../../tests/support/silent-logger.ts';

/** With threads, and without: what reaches the provider and the caller is to be the same. */
let workers: Workers;
let apart: Harness;
let atOnce: Harness;
let upstream: UpstreamSpy;
let answer: Answer;

beforeAll(() => {
  workers = createWorkers({
    filename: entryPath('infra/processes/relay-worker'),
    logger: silentLogger,
    metrics: createMetrics({ process: 'test' }),
  });
});
afterAll(() => workers.close());

const settings = {
  maxBodyBytes: 16_777_216,
  translation: { maxBytes: 8_388_608, maxMessages: 5_000 },
};
beforeEach(async () => {
  answer = json(chatAnswer(usageOf(10, 5)));
  upstream = await startUpstream((req, res, body) => answer(req, res, body));
  const kept = { run: workers.run, close: async () => {} };
  apart = await startHarness(settings, { workers: kept });
  atOnce = await startHarness(settings);
});
afterEach(async () => {
  upstream.close();
  await apart.close();
  await atOnce.close();
});

const serving = async (type: number, more: object = {}): Promise<void> => {
  const channel = aChannel(1, {
    type,
    baseUrl: upstream.url,
    models: ['gpt-4o-mini', 'text-embedding-3-small', 'ERNIE-4.0-8K'],
    ...more,
  });
  for (const relay of [apart, atOnce]) await relay.put.channel(channel);
};

const words = 'The quick brown fox, "quoted" and ünlike others; 中文也有。 ';
const long = words.repeat(12_000);
const body = (more: object = {}): string =>
  JSON.stringify({
    model: 'gpt-4o-mini',
    max_tokens: 500,
    messages: [
      { role: 'system', content: 'Be brief' },
      { role: 'user', content: long },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          { id: 'c1', type: 'function', function: { name: 'look.up', arguments: '{"a":1}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'c1', content: long.slice(0, 100_000) },
    ],
    tools: [{ type: 'function', function: { name: 'look.up', parameters: { type: 'object' } } }],
    ...more,
  });

const claudeAnswer = {
  type: 'message',
  role: 'assistant',
  content: [
    { type: 'text', text: 'Hi there' },
    { type: 'tool_use', id: 't1', name: 'look_up', input: { b: 2 } },
  ],
  stop_reason: 'tool_use',
  usage: { input_tokens: 9, output_tokens: 4 },
};
const contentAnswer = {
  candidates: [{ content: { role: 'model', parts: [{ text: 'Hi' }] }, finishReason: 'STOP' }],
  usageMetadata: { promptTokenCount: 9, candidatesTokenCount: 4, totalTokenCount: 13 },
};

/** Of the two relays, without what is generated for each call. */
const both = async (path: string, sent: string) => {
  const replies = [];
  for (const relay of [apart, atOnce]) replies.push(await relay.send(path, sent));
  const shown = replies.map(({ status, text }) => ({
    status,
    text: text
      .replaceAll(/"(?:id|responseId)":"[^"]*"/g, '"id":""')
      .replaceAll(/"created":\d+/g, '"created":0'),
  }));
  expect(shown[0]).toEqual(shown[1]);
  const [first, second] = upstream.requests.slice(-2);
  expect(first?.path).toBe(second?.path);
  expect(first?.body.equals(second?.body ?? Buffer.alloc(0))).toBe(true);
  return { reply: shown[0], sent: first };
};

describe('a long body reaches its provider as a short one would', () => {
  test('translated for Claude, and its answer is read with the names of its tools', async () => {
    await serving(14);
    answer = json(claudeAnswer);
    const { reply, sent } = await both('/v1/chat/completions', body());
    expect(sent?.path).toBe('/v1/messages');
    expect(sent?.body.length).toBeGreaterThan(long.length);
    expect(reply?.text).toContain('"name":"look.up"');
  });

  test('translated for Gemini', async () => {
    await serving(24);
    answer = json(contentAnswer);
    const { sent } = await both('/v1/chat/completions', body());
    expect(sent?.path).toContain(':generateContent');
  });

  test('from a Claude caller to an OpenAI channel', async () => {
    await serving(1);
    const asked = { model: 'gpt-4o-mini', max_tokens: 9, system: 'Be brief' };
    const messages = [{ role: 'user', content: [{ type: 'text', text: long }] }];
    const { reply } = await both('/v1/messages', JSON.stringify({ ...asked, messages }));
    expect(reply?.status).toBe(200);
  });

  test('passed on with the name that the channel has for the model', async () => {
    await serving(1, { modelMapping: '{"gpt-4o-mini":"other"}', paramOverride: '{"top_k":3}' });
    const { sent } = await both('/v1/chat/completions', body());
    expect(JSON.parse(String(sent?.body))).toMatchObject({ model: 'other', top_k: 3 });
  });

  test('passed on unchanged', async () => {
    await serving(1);
    const { sent } = await both('/v1/chat/completions', body());
    expect(String(sent?.body)).toBe(body());
  });

  test('given twice, the last one counts', async () => {
    await serving(1);
    const twice = body().replace(/\}$/, ',"max_tokens":77}');
    const { sent } = await both('/v1/chat/completions', twice);
    expect(JSON.parse(String(sent?.body)).max_tokens).toBe(77);
  });

  test('with an access token that has to be fetched first', async () => {
    await serving(15);
    for (const relay of [apart, atOnce]) {
      const entry = aChannel(1, { type: 15, baseUrl: upstream.url, models: ['ERNIE-4.0-8K'] });
      await relay.put.channel({ ...entry, sealedKey: sealedFor(1, 'id|secret') });
    }
    answer = (req, res, sent) =>
      json(
        req.url?.startsWith('/oauth/') === true
          ? { access_token: 'token-1', expires_in: 2_592_000 }
          : { result: 'Hi', usage: { prompt_tokens: 9, completion_tokens: 4, total_tokens: 13 } },
      )(req, res, sent);
    const messages = [{ role: 'user', content: long }];
    const sent = JSON.stringify({ model: 'ERNIE-4.0-8K', messages });
    for (const _ of [1, 2]) {
      expect((await apart.send('/v1/chat/completions', sent)).status).toBe(200);
    }
    const paths = upstream.requests.map(({ path }) => path.replace(/\?.*/, ''));
    expect(paths.filter((path) => path.startsWith('/oauth/'))).toHaveLength(1);
    expect(upstream.requests.at(-1)?.path).toContain('access_token=token-1');
  });

  test('long answers are read apart as well', async () => {
    await serving(24);
    const values = Array.from({ length: 3_000 }, (_, at) => at / 7);
    const embeddings = Array.from({ length: 40 }, () => ({ values }));
    answer = json({ embeddings });
    const input = Array.from({ length: 40 }, (_, at) => `text ${at}`);
    const asked = JSON.stringify({ model: 'text-embedding-3-small', input });
    const { reply } = await both('/v1/embeddings', asked);
    expect(reply?.status).toBe(200);
    expect(JSON.parse(String(reply?.text)).data).toHaveLength(40);
    const used = [await apart.journal.used(), await atOnce.journal.used()];
    expect(used[0]?.usage).toEqual(used[1]?.usage);
    expect(used[0]?.usage.promptTokens).toBeGreaterThan(40);
  });
});

describe('a long body is refused with a reason', () => {
  const refused = async (sent: string, path = '/v1/chat/completions') => {
    const { status, text } = await apart.send(path, sent);
    expect(upstream.requests).toHaveLength(0);
    return { status, error: JSON.parse(text).error };
  };

  test('that is not JSON', async () => {
    await serving(1);
    const { status, error } = await refused(`${body().slice(0, -1)},`);
    expect(status).toBe(400);
    expect(error.message).toContain('not a JSON object');
  });

  test('that is nested too deep', async () => {
    await serving(1);
    const deep = '['.repeat(600) + ']'.repeat(600);
    for (const filler of ['', 'x'.repeat(600_000)]) {
      const sent = `{"model":"gpt-4o-mini","messages":[{"role":"user","content":"${filler}"}],"a":${deep}}`;
      const { status, error } = await refused(sent);
      expect(status).toBe(400);
      expect(error.message).toContain('512 levels');
    }
  });

  test('that holds too many messages to be translated', async () => {
    await serving(14);
    const messages = Array.from({ length: 5_001 }, () => ({ role: 'user', content: 'Hi there' }));
    const { status, error } = await refused(JSON.stringify({ model: 'gpt-4o-mini', messages }));
    expect(status).toBe(400);
    expect(error).toMatchObject({ code: 'too_many_messages', param: 'messages' });
  });

  test('that is too long to be translated, as an error of its protocol', async () => {
    await serving(1);
    const messages = [{ role: 'user', content: 'x'.repeat(9_000_000) }];
    const sent = JSON.stringify({ model: 'gpt-4o-mini', max_tokens: 9, messages });
    const { status, error } = await refused(sent, '/v1/messages');
    expect(status).toBe(413);
    expect(error).toMatchObject({ type: 'request_too_large' });
    expect(error.message).toContain('8 MiB');
    await serving(1);
    expect((await apart.send('/v1/chat/completions', sent)).status).toBe(200);
  });

  test('that holds a sensitive word', async () => {
    await serving(1);
    for (const relay of [apart, atOnce]) {
      await relay.put.option('SensitiveWords', 'forbiddenword');
    }
    const { status, error } = await refused(
      body({ user: 'x' }).replace('Be brief', 'ForbiddenWord'),
    );
    expect(status).toBe(400);
    expect(error.code).toBe('sensitive_words_detected');
  });
});

describe('counting', () => {
  test('a prompt of a megabyte of Chinese is counted', async () => {
    await serving(14);
    const text = '中文没有空格也没有标点'.repeat(32_000);
    const sent = JSON.stringify({
      model: 'gpt-4o-mini',
      messages: [{ role: 'user', content: text }],
    });
    const reply = await apart.send('/v1/messages/count_tokens', sent);
    expect(reply.status).toBe(200);
    const { input_tokens: tokens } = JSON.parse(reply.text);
    expect(tokens).toBeGreaterThan(200_000);
    expect(tokens).toBeLessThan(400_000);
  });

  test('a bill without a report is counted by the threads, whatever they are busy with', async () => {
    await serving(1);
    answer = json(chatAnswer(null));
    await apart.send('/v1/chat/completions', body({ note: '<|endoftext|>' }));
    await atOnce.send('/v1/chat/completions', body({ note: '<|endoftext|>' }));
    const used = [await apart.journal.used(), await atOnce.journal.used()];
    expect(used[0]).toMatchObject({ usageSource: 'counted' });
    expect(used[0]?.usage).toEqual(used[1]?.usage);
  });

  test('counts are requests like others to the rate limit', async () => {
    await serving(14);
    await apart.put.option('ModelRequestRateLimitEnabled', 'true');
    await apart.put.option('ModelRequestRateLimitCount', '2');
    await apart.put.option('ModelRequestRateLimitSuccessCount', '2');
    const sent = JSON.stringify({ model: 'gpt-4o-mini', messages: [] });
    const statuses = [];
    for (const _ of [1, 2, 3]) {
      statuses.push((await apart.send('/v1/messages/count_tokens', sent)).status);
    }
    expect(statuses).toEqual([200, 200, 429]);
  });
});
