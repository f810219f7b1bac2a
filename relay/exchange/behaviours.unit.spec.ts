import { createServer } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  type Answer,
  aChannel,
  anAccount,
  aToken,
  chatAnswer,
  chatBody,
  chunkEvent,
  doneEvent,
  type Harness,
  json,
  listen,
  rawKey,
  sse,
  startHarness,
  startUpstream,
  type UpstreamSpy,
  usageChunk,
  usageOf,
} from '../relay-harness.spec.ts';

let relay: Harness;
let upstream: UpstreamSpy;
let answer: Answer;

beforeEach(async () => {
  relay = await startHarness({ beatMs: 10 });
  answer = json(chatAnswer(usageOf(10, 5)));
  upstream = await startUpstream((req, res, body) => answer(req, res, body));
  await relay.put.channel(aChannel(1, { baseUrl: upstream.url }));
});
afterEach(async () => {
  upstream.close();
  await relay.close();
});

const chat = (more: object = {}) => relay.send('/v1/chat/completions', chatBody(more));
const saying = (content: string) => chatBody({ messages: [{ role: 'user', content }] });
const put = (settings: Parameters<typeof aChannel>[1]) =>
  relay.put.channel(aChannel(1, { baseUrl: upstream.url, ...settings }));
const sent = () => JSON.parse(upstream.requests.at(-1)?.body.toString() ?? '');

describe('pings', () => {
  const silence = async (ms: number): Promise<string> => {
    answer = (_req, res) => {
      res.writeHead(200, { 'content-type': 'text/event-stream' });
      res.write(chunkEvent('Hello'));
      setTimeout(() => res.end(usageChunk(usageOf(1, 1)) + doneEvent), ms);
    };
    return (await chat({ stream: true })).text;
  };

  test('keep a stream alive while its provider is silent, at the interval of the option', async () => {
    await relay.put.option('general_setting.ping_interval_enabled', 'true');
    await relay.put.option('general_setting.ping_interval_seconds', '1');
    const told = await silence(3_500);
    expect(told.split(': PING\n\n').length - 1).toBeGreaterThanOrEqual(2);
    expect(told.replaceAll(': PING\n\n', '')).toBe(chunkEvent('Hello') + doneEvent);
  });

  test('are never sent before the head, nor while the option is off', async () => {
    expect(await silence(1_200)).not.toContain('PING');
    await relay.put.option('general_setting.ping_interval_enabled', 'true');
    await relay.put.option('general_setting.ping_interval_seconds', '1');
    answer = (req, res, body) => {
      setTimeout(
        () => json({ error: { message: 'too late', type: 'x' } }, 500)(req, res, body),
        1_200,
      );
    };
    const reply = await chat({ stream: true });
    expect(reply.status).toBe(500);
    expect(reply.text).not.toContain('PING');
  });
});

describe('sensitive words in a prompt', () => {
  beforeEach(() => relay.put.option('SensitiveWords', 'forbidden\n禁词\nzoë\na/b'));

  test.each([
    ['plain', saying('this is forbidden fruit')],
    ['in other letters', saying('FORBidden')],
    ['of another script', saying('这是禁词吗')],
    ['with an accent, in capitals', saying('ask ZOË')],
    ['with a slash', saying('path a/b').replace('a/b', 'a\\/b')],
    ['written as escapes', saying('x').replace('"x"', '"\\u0066orbidden"')],
    [
      'in a part of a list',
      chatBody({
        messages: [
          { role: 'system', content: 'ok' },
          { role: 'user', content: [{ type: 'text', text: 'Forbidden' }] },
        ],
      }),
    ],
  ])('%s: refused, and nobody is charged', async (_how, body) => {
    const reply = await relay.send('/v1/chat/completions', body);
    expect(reply.status).toBe(400);
    expect(JSON.parse(reply.text).error.code).toBe('sensitive_words_detected');
    expect(reply.text).not.toMatch(/forbidden|禁词/);
    expect(upstream.requests).toHaveLength(0);
    expect(relay.journal.startedEntries).toHaveLength(0);
  });

  test('are found in every protocol, and in completions, responses and moderations', async () => {
    const asks: readonly (readonly [string, object])[] = [
      ['/v1/messages', { max_tokens: 9, messages: [{ role: 'user', content: 'forbidden' }] }],
      [
        '/v1/messages',
        { max_tokens: 9, system: 'forbidden', messages: [{ role: 'user', content: 'x' }] },
      ],
      ['/v1/completions', { prompt: 'forbidden' }],
      [
        '/v1/responses',
        { input: [{ role: 'user', content: [{ type: 'input_text', text: 'forbidden' }] }] },
      ],
      ['/v1/moderations', { input: 'forbidden' }],
      [
        '/v1beta/models/gpt-4o-mini:generateContent',
        { contents: [{ parts: [{ text: 'forbidden' }] }] },
      ],
    ];
    for (const [path, body] of asks) {
      const reply = await relay.send(path, JSON.stringify({ model: 'gpt-4o-mini', ...body }), {
        'x-goog-api-key': rawKey,
      });
      expect([path, reply.status]).toEqual([path, 400]);
    }
    expect(upstream.requests).toHaveLength(0);
  });

  test('are not looked for in names and pictures, in vectors, nor when the option is off', async () => {
    const picture = { type: 'image_url', image_url: { url: 'data:image/png;base64,forbidden' } };
    const named = chatBody({
      messages: [{ role: 'user', name: 'forbidden', content: [picture] }],
      tools: [{ type: 'function', function: { name: 'forbidden', parameters: {} } }],
    });
    expect((await relay.send('/v1/chat/completions', named)).status).toBe(200);
    const vector = JSON.stringify({ model: 'text-embedding-3-small', input: 'forbidden' });
    answer = json({ object: 'list', data: [], usage: { prompt_tokens: 1, total_tokens: 1 } });
    expect((await relay.send('/v1/embeddings', vector)).status).toBe(200);
    answer = json(chatAnswer(usageOf(10, 5)));
    await relay.put.option('CheckSensitiveOnPromptEnabled', 'false');
    expect((await relay.send('/v1/chat/completions', saying('forbidden'))).status).toBe(200);
    await relay.put.option('CheckSensitiveOnPromptEnabled', 'true');
    await relay.put.option('CheckSensitiveEnabled', 'false');
    expect((await relay.send('/v1/chat/completions', saying('forbidden'))).status).toBe(200);
  });
});

describe('sensitive words in an answer', () => {
  beforeEach(async () => {
    await relay.put.option('SensitiveWords', 'forbidden');
    await relay.put.option('CheckSensitiveOnCompletionEnabled', 'true');
  });
  const stream = [chunkEvent('Eat forb'), chunkEvent('idden fruit'), chunkEvent(' now'), doneEvent];

  test('end a stream there, even when cut over two events', async () => {
    answer = sse(stream);
    const reply = await chat({ stream: true });
    expect(reply.text).not.toContain('idden');
    expect(reply.text).toContain('"finish_reason":"content_filter"');
    expect(reply.text).toContain('sensitive_words_detected');
    expect(reply.text.endsWith(doneEvent)).toBe(true);
    expect(await relay.journal.used()).toMatchObject({ end: 'cut-off' });
  });

  test('end a stream of another protocol in its own words', async () => {
    answer = sse(stream);
    const reply = await relay.send('/v1/messages', chatBody({ max_tokens: 9, stream: true }));
    expect(reply.text).not.toContain('idden');
    expect(reply.text).toContain('"stop_reason":"refusal"');
    expect(reply.text).toContain('message_stop');
  });

  test('take the place of an answer in one piece, which is paid', async () => {
    answer = json({
      ...chatAnswer(usageOf(10, 5)),
      choices: [{ message: { content: 'Forbidden!' } }],
    });
    const reply = await chat();
    expect(reply.status).toBe(400);
    expect(JSON.parse(reply.text).error.code).toBe('sensitive_words_detected');
    expect((await relay.journal.used()).usage.completionTokens).toBe(5);
  });

  test('are made unreadable when answers are not to be stopped', async () => {
    await relay.put.option('StopOnSensitiveEnabled', 'false');
    answer = sse([chunkEvent('a Forbidden fruit'), usageChunk(usageOf(1, 1)), doneEvent]);
    expect((await chat({ stream: true })).text).toBe(chunkEvent('a ********* fruit') + doneEvent);
    answer = json({
      ...chatAnswer(usageOf(10, 5)),
      choices: [{ message: { content: 'forbidden!' } }],
    });
    expect((await chat()).text).toContain('*********!');
  });
});

describe('the request limit', () => {
  const limit = async (total: number, success: number, groups: object = {}): Promise<void> => {
    await relay.put.option('ModelRequestRateLimitCount', String(total));
    await relay.put.option('ModelRequestRateLimitSuccessCount', String(success));
    await relay.put.option('ModelRequestRateLimitDurationMinutes', '1000');
    await relay.put.option('ModelRequestRateLimitGroup', JSON.stringify(groups));
    await relay.put.option('ModelRequestRateLimitEnabled', 'true');
  };
  const statuses = async (count: number): Promise<readonly number[]> => {
    const all: number[] = [];
    for (let at = 0; at < count; at += 1) all.push((await chat()).status);
    return all;
  };

  test('refuses beyond the total, over all keys of a user, and says when to come back', async () => {
    await limit(3, 100);
    expect(await statuses(3)).toEqual([200, 200, 200]);
    await relay.put.token('o'.repeat(48), aToken({ tokenId: 6 }));
    const reply = await relay.send('/v1/chat/completions', chatBody(), {
      authorization: `Bearer ${'o'.repeat(48)}`,
    });
    expect(reply.status).toBe(429);
    expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0);
    expect(JSON.parse(reply.text).error.message).toContain('At most 3 requests in 1000 minutes');
    expect(upstream.requests).toHaveLength(3);
    expect(relay.journal.startedEntries).toHaveLength(3);
  });

  test('counts only what succeeded against the limit of successes', async () => {
    await limit(0, 2);
    answer = json({ error: { message: 'no', type: 'invalid_request_error' } }, 400);
    expect(await statuses(4)).toEqual([400, 400, 400, 400]);
    answer = json(chatAnswer(usageOf(1, 1)));
    expect(await statuses(3)).toEqual([200, 200, 429]);
  });

  test('lets no more through than it says when many ask at the same moment', async () => {
    await limit(0, 5);
    const replies = await Promise.all(Array.from({ length: 20 }, () => chat()));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(5);
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(15);
  });

  test('follows the group of the key, and another user has his own count', async () => {
    await limit(1, 100, { vip: [2, 100] });
    await relay.put.option('GroupRatio', '{"default":1,"vip":1}');
    await relay.put.option('UserUsableGroups', '{"default":"","vip":""}');
    await put({ groups: ['default', 'vip'] });
    await relay.put.token(rawKey, aToken({ group: 'vip' }));
    expect(await statuses(3)).toEqual([200, 200, 429]);
    await relay.put.account(anAccount({ userId: 8, username: 'bob' }));
    await relay.put.token('p'.repeat(48), aToken({ tokenId: 9, userId: 8 }));
    const other = () =>
      relay.send('/v1/chat/completions', chatBody(), { authorization: `Bearer ${'p'.repeat(48)}` });
    expect((await other()).status).toBe(200);
    expect((await other()).status).toBe(429);
  });

  test('leaves lists of models alone', async () => {
    await limit(1, 1);
    expect(await statuses(2)).toEqual([200, 429]);
    expect((await relay.get('/v1/models')).status).toBe(200);
  });
});

describe('passing bodies through', () => {
  const odd = chatBody({ strange: { a: 0 }, temperature: 0 });

  test('is for the whole site: no mapping, no override, no request for usage', async () => {
    await put({ modelMapping: '{"gpt-4o-mini":"other"}', paramOverride: '{"temperature":1}' });
    await relay.put.option('global.pass_through_request_enabled', 'true');
    await relay.send('/v1/chat/completions', odd);
    expect(upstream.requests[0]?.body.toString()).toBe(odd);
    answer = sse([chunkEvent('Hi there'), doneEvent]);
    const streamed = chatBody({ stream: true });
    await relay.send('/v1/chat/completions', streamed);
    expect(upstream.requests[1]?.body.toString()).toBe(streamed);
    expect((await relay.journal.used(1)).usageSource).toBe('counted');
  });

  test('reaches providers of another protocol as it is, and not callers of Messages', async () => {
    await relay.put.option('global.pass_through_request_enabled', 'true');
    await put({ type: 14 });
    answer = json({
      type: 'message',
      content: [{ type: 'text', text: 'Hi' }],
      usage: { input_tokens: 1, output_tokens: 1 },
    });
    await relay.send('/v1/chat/completions', odd);
    expect(upstream.requests[0]?.path).toBe('/v1/messages');
    expect(upstream.requests[0]?.body.toString()).toBe(odd);
    await put({ type: 1 });
    answer = json(chatAnswer(usageOf(1, 1)));
    await relay.send('/v1/messages', chatBody({ max_tokens: 9, system: 'Be kind' }));
    expect(sent().messages[0]).toMatchObject({ role: 'system' });
  });

  test('can be for one channel', async () => {
    await put({
      setting: '{"pass_through_body_enabled":true}',
      paramOverride: '{"temperature":1}',
    });
    await relay.send('/v1/chat/completions', odd);
    expect(upstream.requests[0]?.body.toString()).toBe(odd);
  });
});

describe('the instructions of a channel', () => {
  const own = { role: 'system', content: 'Mine' };
  const user = { role: 'user', content: 'Hello' };
  const prompt = (isForced: boolean) =>
    JSON.stringify({ system_prompt: 'Theirs', system_prompt_override: isForced });

  test('come first where the caller gives none, and before his own when forced', async () => {
    await put({ setting: prompt(false) });
    await chat({ messages: [user] });
    expect(sent().messages).toEqual([{ role: 'system', content: 'Theirs' }, user]);
    await chat({ messages: [own, user] });
    expect(sent().messages).toEqual([own, user]);
    await put({ setting: prompt(true) });
    await chat({ messages: [own, user] });
    expect(sent().messages).toEqual([{ role: 'system', content: 'Theirs\nMine' }, user]);
  });

  test('reach every protocol', async () => {
    const text = {
      content: [{ type: 'text', text: 'Hi' }],
      usage: { input_tokens: 1, output_tokens: 1 },
    };
    await put({ type: 14, setting: prompt(true) });
    answer = json({ type: 'message', ...text });
    await relay.send('/v1/messages', chatBody({ max_tokens: 9, system: 'Mine' }));
    expect(sent()).toMatchObject({ system: 'Theirs\nMine', max_tokens: 9 });
    await relay.send('/v1/messages', chatBody({ max_tokens: 9 }));
    expect(sent().system).toBe('Theirs');
    await put({ type: 24, setting: prompt(true) });
    answer = json({ candidates: [], usageMetadata: { promptTokenCount: 1 } });
    await relay.send(
      '/v1beta/models/gpt-4o-mini:generateContent',
      '{"contents":[{"parts":[{"text":"x"}]}]}',
    );
    expect(sent().systemInstruction).toEqual({ parts: [{ text: 'Theirs' }] });
    await put({ setting: prompt(true) });
    await relay.send('/v1/responses', JSON.stringify({ model: 'gpt-4o-mini', input: 'x' }));
    expect(sent()).toMatchObject({ instructions: 'Theirs', input: 'x' });
  });
});

describe('settings of a channel', () => {
  const extra = chunkEvent('Hi', { provider: 'x', usage_hint: 1 });

  test('force_format drops what a provider added to its chunks', async () => {
    await put({ setting: '{"force_format":true}' });
    answer = sse([extra, chunkEvent('!', {}).replace('null}', '"stop","odd":1}'), doneEvent]);
    const { text } = await chat({ stream: true });
    expect(text).not.toMatch(/provider|usage_hint|odd/);
    expect(text).toContain('"content":"Hi"');
    expect(text.endsWith(doneEvent)).toBe(true);
  });

  test('thinking_to_content puts reasoning before the words', async () => {
    await put({ setting: '{"thinking_to_content":true}' });
    const thought = `data: ${JSON.stringify({ choices: [{ index: 0, delta: { reasoning_content: 'Hm' } }] })}\n\n`;
    answer = sse([thought, chunkEvent('Hi').replace('null}', '"stop"}'), doneEvent]);
    const { text } = await chat({ stream: true });
    expect(text).toContain('"content":"<think>\\nHm"');
    expect(text).not.toContain('"reasoning_content":"Hm"');
  });

  test('proxy sends its calls through another address', async () => {
    const seen: string[] = [];
    const proxy = createServer((_req, res) => res.writeHead(400).end());
    proxy.on('connect', (req, socket: Socket) => {
      seen.push(req.url ?? '');
      const { port } = new URL(upstream.url);
      const onward = connect(Number(port), '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        onward.pipe(socket).pipe(onward);
      });
      onward.on('error', () => socket.destroy());
      socket.on('error', () => onward.destroy());
    });
    const port = await listen(proxy);
    await put({ setting: `{"proxy":"http://127.0.0.1:${port}"}` });
    expect((await chat()).status).toBe(200);
    expect(seen).toEqual([new URL(upstream.url).host]);
    await put({ setting: '{"proxy":"ftp://127.0.0.1:1"}' });
    const reply = await chat();
    expect([reply.status, JSON.parse(reply.text).error.code]).toEqual([500, 'do_request_failed']);
    proxy.closeAllConnections();
    proxy.close();
  });

  test('headers by model reach Claude, under the name that was asked for', async () => {
    await put({ type: 14, modelMapping: '{"gpt-4o-mini":"claude-x"}' });
    const headers = { 'gpt-4o-mini': { 'anthropic-beta': ['own-1'], 'x-extra': ['a', 'b'] } };
    await relay.put.option('claude.model_headers_settings', JSON.stringify(headers));
    answer = json({ type: 'message', content: [], usage: { input_tokens: 1, output_tokens: 1 } });
    await relay.send('/v1/messages', chatBody({ max_tokens: 9 }), { 'anthropic-beta': 'theirs-1' });
    expect(upstream.requests[0]?.headers).toMatchObject({
      'anthropic-beta': 'theirs-1,own-1',
      'x-extra': 'a,b',
    });
    await chat({ max_tokens: 9 });
    expect(upstream.requests[1]?.headers).toMatchObject({ 'x-extra': 'a,b' });
  });
});

describe('names of models that stand for settings', () => {
  test('a caller of generateContent gets thinking by the suffix, within his limit', async () => {
    const name = 'gemini-2.5-flash-thinking';
    await relay.put.option('ModelRatio', `{"${name}":1}`);
    await relay.put.option('gemini.thinking_adapter_enabled', 'true');
    await put({ type: 24, models: [name] });
    answer = json({ candidates: [], usageMetadata: { promptTokenCount: 1 } });
    const contents = [{ parts: [{ text: 'x' }] }];
    const generationConfig = { maxOutputTokens: 1_000, topK: 0 };
    await relay.send(
      `/v1beta/models/${name}:generateContent`,
      JSON.stringify({ contents, generationConfig, odd: 0 }),
    );
    expect(upstream.requests[0]?.path).toBe('/v1beta/models/gemini-2.5-flash:generateContent');
    expect(sent()).toEqual({
      contents,
      odd: 0,
      generationConfig: {
        ...generationConfig,
        thinkingConfig: { includeThoughts: true, thinkingBudget: 600 },
      },
    });
  });

  test.each([
    ['o3-mini-high', { model: 'o3-mini', reasoning_effort: 'high', max_completion_tokens: 50 }],
    ['o1-low', { model: 'o1', reasoning_effort: 'low', max_completion_tokens: 50 }],
  ])('%s asks for an effort', async (model, expected) => {
    await relay.put.option('ModelRatio', `{"${model}":1}`);
    await put({ models: [model] });
    await chat({ model, max_tokens: 50, temperature: 0.5 });
    expect(sent()).toMatchObject(expected);
    expect(sent().max_tokens).toBeUndefined();
    expect(sent().temperature).toBeUndefined();
  });
});
