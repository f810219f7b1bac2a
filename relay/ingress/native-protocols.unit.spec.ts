import { describe, expect, test } from 'vitest';
import {
  aChannel,
  chatAnswer,
  chunkEvent,
  doneEvent,
  json,
  rawKey,
  sse,
  usageChunk,
  usageOf,
} from '../../tests/support/relay/relay-harness.ts';
import { relayScene } from '../../tests/support/relay/scene.ts';

const scene = relayScene({ usual: json(chatAnswer(usageOf(11, 7))), hasChannel: false });

const put = (type: number, more: object = {}) =>
  scene.relay.put.channel(aChannel(1, { type, baseUrl: scene.upstream.url, ...more }));
const sent = () => JSON.parse(scene.upstream.requests.at(-1)?.body.toString() ?? '');
const event = (data: { type: string } & Record<string, unknown>): string =>
  `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;

describe('callers of the Messages API', () => {
  const question = (more: object = {}) =>
    JSON.stringify({
      model: 'gpt-4o-mini',
      max_tokens: 64,
      messages: [{ role: 'user', content: 'Hello' }],
      ...more,
    });
  const keyed = {
    authorization: '',
    'x-api-key': `sk-${rawKey}`,
    'anthropic-version': '2023-01-01',
  };
  const ask = (body: string) => scene.relay.send('/v1/messages', body, keyed);
  const message = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'claude-x',
    content: [{ type: 'tool_use', id: 't1', name: 'f', input: { usage: { input_tokens: 9_999 } } }],
    stop_reason: 'tool_use',
    usage: { input_tokens: 5, cache_read_input_tokens: 70, output_tokens: 3 },
  };
  const events = [
    event({
      type: 'message_start',
      message: {
        ...message,
        content: [],
        usage: { input_tokens: 5, cache_read_input_tokens: 70, output_tokens: 1 },
      },
    }),
    event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
    event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hi' } }),
    event({ type: 'content_block_stop', index: 0 }),
    event({
      type: 'message_delta',
      delta: { stop_reason: 'end_turn' },
      usage: { output_tokens: 9 },
    }),
    event({ type: 'message_stop' }),
  ];

  test('reach a channel of the same protocol as bytes, and are billed by its report', async () => {
    await put(14);
    scene.answer = json(message);
    const body = question({ metadata: { user_id: 'u' }, top_k: 0 });
    const reply = await ask(body);
    expect(JSON.parse(reply.text)).toEqual(message);
    const [request] = scene.upstream.requests;
    expect(request?.body.toString()).toBe(body);
    expect(request?.headers).toMatchObject({
      'x-api-key': 'upstream-key-1',
      'anthropic-version': '2023-01-01',
    });
    expect((await scene.relay.journal.used()).usage).toEqual({
      promptTokens: 5,
      completionTokens: 3,
      cachedTokens: 70,
      cacheCreationTokens: 0,
      cacheApart: true,
    });
  });

  test('get a stream of the same protocol byte for byte, however it is cut', async () => {
    await put(14);
    const whole = events.join('');
    const pieces = whole.match(/[\s\S]{1,37}/g) ?? [];
    scene.answer = sse(pieces);
    const reply = await ask(question({ stream: true }));
    expect(reply.text).toBe(whole);
    expect(await scene.relay.journal.used()).toMatchObject({
      end: 'complete',
      usageSource: 'upstream',
      usage: { promptTokens: 5, completionTokens: 9, cachedTokens: 70, cacheApart: true },
    });
  });

  test('are not cut off when the model writes the name of the last event', async () => {
    await put(14);
    const delta = { type: 'text_delta', text: 'then event: message_stop comes' };
    const deltaEvent = event({ type: 'content_block_delta', index: 0, delta });
    const whole = [...events.slice(0, 2), deltaEvent, ...events.slice(2)].join('');
    scene.answer = sse([whole.slice(0, 700), whole.slice(700)]);
    expect((await ask(question({ stream: true }))).text).toBe(whole);
    expect((await scene.relay.journal.used()).usage.completionTokens).toBe(9);
  });

  test('are billed for what was written when a stream reports nothing', async () => {
    await put(14);
    scene.answer = sse(events.slice(1, 4));
    await ask(question({ stream: true }));
    const used = await scene.relay.journal.used();
    expect(used.usageSource).toBe('counted');
    expect(used.usage.completionTokens).toBe(1);
  });

  test('get a message from a channel of OpenAI, with tools and usage in their words', async () => {
    await put(1);
    const tool = { name: 'look', input_schema: { type: 'object', properties: {} } };
    scene.answer = json({
      ...chatAnswer(usageOf(11, 7)),
      choices: [
        {
          index: 0,
          message: {
            role: 'assistant',
            content: null,
            tool_calls: [
              { id: 'c1', type: 'function', function: { name: 'look', arguments: '{"a":1}' } },
            ],
          },
          finish_reason: 'tool_calls',
        },
      ],
    });
    const reply = await ask(question({ system: 'Be brief', tools: [tool] }));
    expect(JSON.parse(reply.text)).toMatchObject({
      type: 'message',
      content: [{ type: 'tool_use', id: 'c1', name: 'look', input: { a: 1 } }],
      stop_reason: 'tool_use',
      usage: { input_tokens: 11, output_tokens: 7 },
    });
    expect(scene.upstream.requests[0]?.path).toBe('/v1/chat/completions');
    expect(sent().messages[0]).toMatchObject({ role: 'system', content: 'Be brief' });
    expect((await scene.relay.journal.used()).call.path).toBe('/v1/messages');
  });

  test('get events of a message from a channel of OpenAI', async () => {
    await put(1);
    scene.answer = sse([
      chunkEvent('Hi'),
      chunkEvent(' there'),
      usageChunk(usageOf(11, 7)),
      doneEvent,
    ]);
    const reply = await ask(question({ stream: true }));
    const types = [...reply.text.matchAll(/^event: (\w+)$/gm)].map(([, type]) => type);
    expect([types[0], types.at(-2), types.at(-1)]).toEqual([
      'message_start',
      'message_delta',
      'message_stop',
    ]);
    expect(reply.text).toContain('"text":"Hi"');
    expect(reply.text).toContain('"output_tokens":7');
    expect((await scene.relay.journal.used()).usage).toMatchObject({ promptTokens: 11 });
  });

  test('get errors in their own shape, from the first check on', async () => {
    const stranger = await scene.relay.send('/v1/messages', question(), {
      authorization: '',
      'x-api-key': 'sk-unknown',
    });
    expect(stranger.status).toBe(401);
    expect(JSON.parse(stranger.text)).toMatchObject({
      type: 'error',
      error: { type: 'authentication_error' },
    });
    await put(14);
    scene.answer = json(
      { type: 'error', error: { type: 'overloaded_error', message: 'Busy' } },
      529,
    );
    const busy = await ask(question());
    expect([busy.status, JSON.parse(busy.text).error.type]).toEqual([529, 'overloaded_error']);
    expect(await scene.relay.journal.failed()).toMatchObject({ statusCode: 529 });
  });

  test('learn the length of a prompt without being charged', async () => {
    const reply = await scene.relay.send(
      '/v1/messages/count_tokens',
      question({ system: 'Be' }),
      keyed,
    );
    expect(JSON.parse(reply.text).input_tokens).toBeGreaterThan(1);
    expect(scene.relay.journal.startedEntries).toEqual([]);
  });

  test('who request thinking by the name of the model get the model without the suffix', async () => {
    const model = 'claude-sonnet-4-thinking';
    await put(14, { models: [model] });
    await scene.relay.put.option('ModelRatio', `{"${model}":1}`);
    scene.answer = json(message);
    expect((await ask(question({ model }))).status).toBe(200);
    expect(sent()).toMatchObject({ model: 'claude-sonnet-4', thinking: { type: 'enabled' } });
  });
});
