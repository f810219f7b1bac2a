import { createServer } from 'node:http';
import { connect, type Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import {
  chatAnswer,
  chatBody,
  chunkEvent,
  doneEvent,
  json,
  listen,
  sse,
  usageOf,
} from '../support/relay/relay-harness.ts';
import { oneChannel } from '../support/relay/scene.ts';

const scene = oneChannel();

describe('passing bodies through', () => {
  const odd = chatBody({ strange: { a: 0 }, temperature: 0 });

  test('is for the whole site: no mapping, no override, no request for usage', async () => {
    await scene.put({
      modelMapping: '{"gpt-4o-mini":"other"}',
      paramOverride: '{"temperature":1}',
    });
    await scene.relay.put.option('global.pass_through_request_enabled', 'true');
    await scene.relay.send('/v1/chat/completions', odd);
    expect(scene.upstream.requests[0]?.body.toString()).toBe(odd);
    scene.answer = sse([chunkEvent('Hi there'), doneEvent]);
    const streamed = chatBody({ stream: true });
    await scene.relay.send('/v1/chat/completions', streamed);
    expect(scene.upstream.requests[1]?.body.toString()).toBe(streamed);
    expect((await scene.relay.journal.used(1)).usageSource).toBe('counted');
  });

  test('reaches providers of another protocol as it is, and not callers of Messages', async () => {
    await scene.relay.put.option('global.pass_through_request_enabled', 'true');
    await scene.put({ type: 14 });
    scene.answer = json({
      type: 'message',
      content: [{ type: 'text', text: 'Hi' }],
      usage: { input_tokens: 1, output_tokens: 1 },
    });
    await scene.relay.send('/v1/chat/completions', odd);
    expect(scene.upstream.requests[0]?.path).toBe('/v1/messages');
    expect(scene.upstream.requests[0]?.body.toString()).toBe(odd);
    await scene.put({ type: 1 });
    scene.answer = json(chatAnswer(usageOf(1, 1)));
    await scene.relay.send('/v1/messages', chatBody({ max_tokens: 9, system: 'Be kind' }));
    expect(scene.sent().messages[0]).toMatchObject({ role: 'system' });
  });

  test('can be for one channel', async () => {
    await scene.put({
      setting: '{"pass_through_body_enabled":true}',
      paramOverride: '{"temperature":1}',
    });
    await scene.relay.send('/v1/chat/completions', odd);
    expect(scene.upstream.requests[0]?.body.toString()).toBe(odd);
  });
});

describe('the instructions of a channel', () => {
  const own = { role: 'system', content: 'Mine' };
  const user = { role: 'user', content: 'Hello' };
  const prompt = (isForced: boolean) =>
    JSON.stringify({ system_prompt: 'Theirs', system_prompt_override: isForced });

  test('are the default where the caller gives none, and precede his own when forced', async () => {
    await scene.put({ setting: prompt(false) });
    await scene.chat({ messages: [user] });
    expect(scene.sent().messages).toEqual([{ role: 'system', content: 'Theirs' }, user]);
    await scene.chat({ messages: [own, user] });
    expect(scene.sent().messages).toEqual([own, user]);
    await scene.put({ setting: prompt(true) });
    await scene.chat({ messages: [own, user] });
    expect(scene.sent().messages).toEqual([{ role: 'system', content: 'Theirs\nMine' }, user]);
  });

  test('reach every protocol', async () => {
    const text = {
      content: [{ type: 'text', text: 'Hi' }],
      usage: { input_tokens: 1, output_tokens: 1 },
    };
    await scene.put({ type: 14, setting: prompt(true) });
    scene.answer = json({ type: 'message', ...text });
    await scene.relay.send('/v1/messages', chatBody({ max_tokens: 9, system: 'Mine' }));
    expect(scene.sent()).toMatchObject({ system: 'Theirs\nMine', max_tokens: 9 });
    await scene.relay.send('/v1/messages', chatBody({ max_tokens: 9 }));
    expect(scene.sent().system).toBe('Theirs');
    await scene.put({ type: 24, setting: prompt(true) });
    scene.answer = json({ candidates: [], usageMetadata: { promptTokenCount: 1 } });
    await scene.relay.send(
      '/v1beta/models/gpt-4o-mini:generateContent',
      '{"contents":[{"parts":[{"text":"x"}]}]}',
    );
    expect(scene.sent().systemInstruction).toEqual({ parts: [{ text: 'Theirs' }] });
    await scene.put({ setting: prompt(true) });
    await scene.relay.send('/v1/responses', JSON.stringify({ model: 'gpt-4o-mini', input: 'x' }));
    expect(scene.sent()).toMatchObject({ instructions: 'Theirs', input: 'x' });
  });
});

describe('settings of a channel', () => {
  const extra = chunkEvent('Hi', { provider: 'x', usage_hint: 1 });

  test('force_format drops what a provider added to its chunks', async () => {
    await scene.put({ setting: '{"force_format":true}' });
    scene.answer = sse([extra, chunkEvent('!', {}).replace('null}', '"stop","odd":1}'), doneEvent]);
    const { text } = await scene.chat({ stream: true });
    expect(text).not.toMatch(/provider|usage_hint|odd/);
    expect(text).toContain('"content":"Hi"');
    expect(text.endsWith(doneEvent)).toBe(true);
  });

  test('thinking_to_content puts reasoning before the words', async () => {
    await scene.put({ setting: '{"thinking_to_content":true}' });
    const thought = `data: ${JSON.stringify({ choices: [{ index: 0, delta: { reasoning_content: 'Hm' } }] })}\n\n`;
    scene.answer = sse([thought, chunkEvent('Hi').replace('null}', '"stop"}'), doneEvent]);
    const { text } = await scene.chat({ stream: true });
    expect(text).toContain('"content":"<think>\\nHm"');
    expect(text).not.toContain('"reasoning_content":"Hm"');
  });

  test('proxy sends its calls through another address', async () => {
    const seen: string[] = [];
    const proxy = createServer((_req, res) => res.writeHead(400).end());
    proxy.on('connect', (req, socket: Socket) => {
      seen.push(req.url ?? '');
      const { port } = new URL(scene.upstream.url);
      const onward = connect(Number(port), '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        onward.pipe(socket).pipe(onward);
      });
      onward.on('error', () => socket.destroy());
      socket.on('error', () => onward.destroy());
    });
    const port = await listen(proxy);
    await scene.put({ setting: `{"proxy":"http://127.0.0.1:${port}"}` });
    expect((await scene.chat()).status).toBe(200);
    expect(seen).toEqual([new URL(scene.upstream.url).host]);
    await scene.put({ setting: '{"proxy":"ftp://127.0.0.1:1"}' });
    const reply = await scene.chat();
    expect([reply.status, JSON.parse(reply.text).error.code]).toEqual([500, 'do_request_failed']);
    proxy.closeAllConnections();
    proxy.close();
  });

  test('headers by model reach Claude, under the requested name', async () => {
    await scene.put({ type: 14, modelMapping: '{"gpt-4o-mini":"claude-x"}' });
    const headers = { 'gpt-4o-mini': { 'anthropic-beta': ['own-1'], 'x-extra': ['a', 'b'] } };
    await scene.relay.put.option('claude.model_headers_settings', JSON.stringify(headers));
    scene.answer = json({
      type: 'message',
      content: [],
      usage: { input_tokens: 1, output_tokens: 1 },
    });
    await scene.relay.send('/v1/messages', chatBody({ max_tokens: 9 }), {
      'anthropic-beta': 'theirs-1',
    });
    expect(scene.upstream.requests[0]?.headers).toMatchObject({
      'anthropic-beta': 'theirs-1,own-1',
      'x-extra': 'a,b',
    });
    await scene.chat({ max_tokens: 9 });
    expect(scene.upstream.requests[1]?.headers).toMatchObject({ 'x-extra': 'a,b' });
  });
});

describe('names of models that stand for settings', () => {
  test('a caller of generateContent gets thinking by the suffix, within his limit', async () => {
    const name = 'gemini-2.5-flash-thinking';
    await scene.relay.put.option('ModelRatio', `{"${name}":1}`);
    await scene.relay.put.option('gemini.thinking_adapter_enabled', 'true');
    await scene.put({ type: 24, models: [name] });
    scene.answer = json({ candidates: [], usageMetadata: { promptTokenCount: 1 } });
    const contents = [{ parts: [{ text: 'x' }] }];
    const generationConfig = { maxOutputTokens: 1_000, topK: 0 };
    await scene.relay.send(
      `/v1beta/models/${name}:generateContent`,
      JSON.stringify({ contents, generationConfig, odd: 0 }),
    );
    expect(scene.upstream.requests[0]?.path).toBe(
      '/v1beta/models/gemini-2.5-flash:generateContent',
    );
    expect(scene.sent()).toEqual({
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
  ])('%s requests an effort', async (model, expected) => {
    await scene.relay.put.option('ModelRatio', `{"${model}":1}`);
    await scene.put({ models: [model] });
    await scene.chat({ model, max_tokens: 50, temperature: 0.5 });
    expect(scene.sent()).toMatchObject(expected);
    expect(scene.sent().max_tokens).toBeUndefined();
    expect(scene.sent().temperature).toBeUndefined();
  });
});
