import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ChannelFailing, ChannelTestReply } from '../../domain/relay/messages.ts';
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
import { mapModel } from '../feeds/model-mapping.ts';
import { chooseChannel } from './choose.ts';
import { isRetryableStatus } from './retry.ts';

describe('rules', () => {
  test('a status is retried as the table states', () => {
    const retried = (type: number) =>
      [200, 307, 400, 401, 403, 404, 408, 422, 429, 500, 502, 504, 524, 529].filter((status) =>
        isRetryableStatus(status, type),
      );
    expect(retried(1)).toEqual([307, 401, 403, 404, 422, 429, 500, 502, 529]);
    expect(retried(14)).toContain(400);
  });

  test('a mapping is followed to its end, and a circle is found', () => {
    const mapping = new Map([
      ['a', 'b'],
      ['b', 'c'],
      ['x', 'x'],
      ['p', 'q'],
      ['q', 'p'],
    ]);
    expect(['a', 'b', 'x', 'z', 'p'].map((name) => mapModel(mapping, name))).toEqual([
      'c',
      'c',
      'x',
      'z',
      'mapping-cycle',
    ]);
  });

  test('weight 0 against weight 10 is drawn one to two', async () => {
    const { compileChannel } = await import('../feeds/upstream-channel.ts');
    const { vault } = await import('../../tests/support/relay/relay-harness.ts');
    const channels = [aChannel(1, { weight: 0 }), aChannel(2, { weight: 10 })].map((entry) =>
      compileChannel(entry, vault),
    );
    const drawn = Array.from({ length: 300 }, (_none, n) =>
      chooseChannel([{ priority: 0, channels }], [], () => n / 300),
    );
    expect(drawn.filter((channel) => channel?.channelId === 1)).toHaveLength(100);
  });
});

describe('attempts', () => {
  let relay: Harness;
  let upstream: UpstreamSpy;
  let answers: Record<string, Answer>;

  beforeEach(async () => {
    relay = await startHarness();
    answers = {};
    upstream = await startUpstream((req, res, body) => {
      const key = req.headers.authorization ?? '';
      (answers[key.slice(-1)] ?? json(chatAnswer(usageOf(1, 1))))(req, res, body);
    });
    await relay.put.option('RetryTimes', '3');
  });
  afterEach(async () => {
    upstream.close();
    await relay.close();
  });
  const put = (id: number, settings: Parameters<typeof aChannel>[1] = {}) =>
    relay.put.channel(aChannel(id, { baseUrl: upstream.url, ...settings }));
  const chat = () => relay.send('/v1/chat/completions', chatBody());

  test('go down the tiers, and the one that answers is billed', async () => {
    await put(1, { priority: 10 });
    await put(2, { priority: 5 });
    await put(3, { priority: 0 });
    answers['1'] = json({ error: { message: 'x' } }, 500);
    answers['2'] = json({ error: { message: 'x' } }, 429);
    expect((await chat()).status).toBe(200);
    const used = await relay.journal.used();
    expect(used.call).toMatchObject({ channelId: 3, channelsTried: [1, 2, 3] });
    expect(relay.journal.startedEntries).toHaveLength(1);
  });

  test('never take the same channel twice, and the last error is returned', async () => {
    await put(1);
    await put(2);
    answers['1'] = json({ error: { message: 'first', type: 't', code: 'c' } }, 503);
    answers['2'] = answers['1'];
    const reply = await chat();
    expect(reply.status).toBe(503);
    expect(upstream.requests).toHaveLength(2);
    expect(JSON.parse(reply.text).error).toMatchObject({ type: 't', code: 'c' });
  });

  test("stop at what is the caller's own mistake, and with RetryTimes 0", async () => {
    await put(1, { priority: 1 });
    await put(2);
    answers['1'] = json({ error: { message: 'bad', type: 'invalid_request_error' } }, 400);
    expect((await chat()).status).toBe(400);
    answers['1'] = json({ error: { message: 'x' } }, 500);
    await relay.put.option('RetryTimes', '0');
    expect((await chat()).status).toBe(500);
    expect(upstream.requests).toHaveLength(2);
  });

  test('the status mapping of the channel precedes the decision', async () => {
    await put(1, { priority: 1, statusCodeMapping: '{"400":"500"}' });
    await put(2);
    answers['1'] = json({ error: { message: 'x' } }, 400);
    expect((await chat()).status).toBe(200);
    await put(2, { statusCodeMapping: '{"500":"404"}' });
    await relay.put.option('RetryTimes', '1');
    answers['2'] = json({ error: { message: 'y' } }, 500);
    expect((await chat()).status).toBe(404);
  });

  test('a busy upstream is reported without its name, a connection error without its address', async () => {
    await put(1);
    answers['1'] = json({ error: { message: 'org-123 rate limit', code: 'rate_limit' } }, 429);
    const reply = await chat();
    expect(reply.status).toBe(429);
    expect(reply.text).not.toContain('org-123');
    await put(1, { baseUrl: 'http://127.0.0.1:9' });
    const refused = await chat();
    expect(refused.text).toContain('do_request_failed');
    expect(refused.text).not.toContain('127.0.0.1');
  });

  test('the model is mapped and parameters overridden by splicing, prices follow the requested name', async () => {
    await put(1, {
      modelMapping: '{"gpt-4o-mini":"gpt-x"}',
      paramOverride: '{"temperature":0.5,"stream":true,"extra":{"a":1}}',
    });
    const body =
      '{"model":"gpt-4o-mini" ,"messages":[{"role":"user","content":"x"}],"temperature":1e0}';
    await relay.send('/v1/chat/completions', body);
    expect(upstream.requests[0]?.body.toString()).toBe(
      '{"model":"gpt-x" ,"messages":[{"role":"user","content":"x"}],"temperature":0.5,"extra":{"a":1}}',
    );
    const used = await relay.journal.used();
    expect(used.call).toMatchObject({ model: 'gpt-4o-mini', upstreamModel: 'gpt-x' });
    expect(used.quote.model).toBe('gpt-4o-mini');
  });

  test('a mapping in a circle is an error of the channel, booked and not charged', async () => {
    await put(1, { modelMapping: '{"gpt-4o-mini":"b","b":"gpt-4o-mini"}' });
    expect((await chat()).text).toContain('model_mapping_contains_cycle');
    expect(await relay.journal.failed()).toMatchObject({ errorCode: 'model_mapped_error' });
  });

  test('a dead key is reported when the operator enabled that, a phrase of the caller is not', async () => {
    const failing: ChannelFailing[] = [];
    await relay.bus.subscribe<ChannelFailing>('channel.failing', (body) => failing.push(body));
    await put(1);
    answers['1'] = json({ error: { message: 'Incorrect key sk-abcd1234' } }, 401);
    await chat();
    expect(failing).toEqual([]);
    await relay.put.option('AutomaticDisableChannelEnabled', 'true');
    await chat();
    expect(failing).toMatchObject([{ channelId: 1 }]);
    expect(failing[0]?.reason).not.toContain('abcd1234');
    const phrase = 'permission denied';
    answers['1'] = json({ error: { message: `bad input: ${phrase}` } }, 400);
    const body = chatBody({ messages: [{ role: 'user', content: phrase }] });
    await relay.send('/v1/chat/completions', body);
    expect(failing).toHaveLength(1);
  });

  const googles = (reason: string | null, message: string, status = 403) =>
    json(
      {
        error: {
          code: status,
          message,
          status: 'PERMISSION_DENIED',
          ...(reason === null
            ? {}
            : { details: [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason }] }),
        },
      },
      status,
    );

  const failedGoogles = async (refusal: Answer): Promise<readonly number[]> => {
    upstream.close();
    upstream = await startUpstream(refusal);
    const failing: ChannelFailing[] = [];
    await relay.bus.subscribe<ChannelFailing>('channel.failing', (body) => failing.push(body));
    await relay.put.option('AutomaticDisableChannelEnabled', 'true');
    for (const id of [1, 2, 3]) await put(id, { type: 24 });
    const body = '{"contents":[{"parts":[{"fileData":{"fileUri":"files/abc"}}]}]}';
    expect((await relay.send('/v1beta/models/gpt-4o-mini:generateContent', body)).status).not.toBe(
      200,
    );
    expect((await chat()).status).not.toBe(200);
    return failing.map(({ channelId }) => channelId);
  };

  test.each([
    'You do not have permission to access the File abc or it may not exist.',
    'You do not have permission to access the File API key not valid or it may not exist.',
    'CachedContent not found (or permission denied)',
  ])("a caller's own file or cache switches no channel off: %s", async (message) => {
    expect(await failedGoogles(googles(null, message))).toEqual([]);
    expect(upstream.requests).toHaveLength(2);
  });

  test('a 403 of Google without a cause is retried and disables no channel', async () => {
    expect(await failedGoogles(googles(null, 'The caller does not have permission'))).toEqual([]);
    expect(upstream.requests).toHaveLength(6);
  });

  test.each([
    ['API_KEY_INVALID', 'API key not valid. Please pass a valid API key.', 400],
    [null, 'API key not valid. Please pass a valid API key.', 400],
    [null, 'Your API key was reported as leaked. Please use another API key.', 403],
    ['CONSUMER_SUSPENDED', 'Permission denied: Consumer has been suspended.', 403],
    ['SERVICE_DISABLED', 'Generative Language API has not been used in project 1 before', 403],
    ['API_KEY_SERVICE_BLOCKED', 'Requests to this API are blocked.', 403],
  ])("Google's %s (%s) reports each channel that was tried", async (reason, message, status) => {
    const failing = await failedGoogles(googles(reason, message, status));
    expect([...failing].sort()).toEqual([1, 1, 2, 2, 3, 3]);
  });

  test('a disabled channel gets no request from the next moment on', async () => {
    await put(1);
    expect((await chat()).status).toBe(200);
    await relay.put.channel(aChannel(1, { baseUrl: upstream.url }, 3));
    const reply = await chat();
    expect([reply.status, JSON.parse(reply.text).error.code]).toEqual([503, 'model_unavailable']);
  });

  test('a channel of no group, or of an odd one, has no effect on others', async () => {
    await put(1);
    const odd = [[], [''], ['gone'], ['__proto__', 'constructor'], ['default ', 'DEFAULT']];
    for (const [at, groups] of odd.entries()) {
      await put(at + 2, { groups, models: ['gpt-4o-mini', '__proto__', ''] });
    }
    expect((await chat()).status).toBe(200);
    const list = await relay.get('/v1/models');
    expect(JSON.parse(list.text).data.map(({ id }: { id: string }) => id)).toEqual(
      [...aChannel(1, {}).settings.models].sort(),
    );
    await relay.put.channel(aChannel(1, { baseUrl: upstream.url }, 2));
    const reply = await chat();
    expect([reply.status, JSON.parse(reply.text).error.code]).toEqual([503, 'model_unavailable']);
  });

  test('a test of a channel is a real call that is not charged', async () => {
    await put(1, { testModel: 'gpt-4o-mini' });
    const ask = (model: string) =>
      relay.bus.request<object, ChannelTestReply>('relay.test-channel', { channelId: 1, model });
    expect(await ask('')).toMatchObject({ success: true, message: '', model: 'gpt-4o-mini' });
    expect(JSON.parse(upstream.requests[0]?.body.toString() ?? '')).toEqual({
      model: 'gpt-4o-mini',
      messages: [{ role: 'user', content: 'hi' }],
      max_tokens: 10,
    });
    await ask('text-embedding-3-small');
    expect(upstream.requests[1]?.path).toBe('/v1/embeddings');
    const probes = [
      ['jina-reranker', '/v1/rerank', json({ results: [] })],
      ['tts-1', '/v1/audio/speech', (_req, res) => res.end('sound')],
      ['whisper-1', '/v1/audio/transcriptions', json({ text: '' })],
      ['dall-e-3', '/v1/images/generations', json({ data: [{ url: 'x' }] })],
    ] as const satisfies readonly (readonly [string, string, Answer])[];
    for (const [at, [model, path, produced]] of probes.entries()) {
      answers['1'] = produced;
      expect(await ask(model)).toMatchObject({ success: true, message: '', model });
      expect(upstream.requests[at + 2]?.path).toBe(path);
    }
    answers['1'] = json({ error: { message: 'no money' } }, 402);
    expect(await ask('')).toMatchObject({ success: false, message: 'status 402: no money' });
    answers['1'] = json({ error: { message: 'bad key', code: 'invalid_api_key' } }, 401);
    expect(await ask('')).not.toHaveProperty('isFailing');
    await relay.put.option('AutomaticDisableChannelEnabled', 'true');
    expect(await ask('')).toMatchObject({ success: false, isFailing: true });
    expect(relay.journal.startedEntries).toEqual([]);
    expect(relay.leases.settled).toEqual([]);
  });
});
