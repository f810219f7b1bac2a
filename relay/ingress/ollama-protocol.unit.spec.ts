import { expect, test } from 'vitest';
import {
  aChannel,
  chatAnswer,
  chunkEvent,
  doneEvent,
  json,
  sse,
  usageChunk,
  usageOf,
} from '../../tests/support/relay/relay-harness.ts';
import { relayScene } from '../../tests/support/relay/scene.ts';

const scene = relayScene({ usual: json(chatAnswer(usageOf(11, 7))), hasChannel: false });

const put = (type: number, more: object = {}) =>
  scene.relay.put.channel(aChannel(1, { type, baseUrl: scene.upstream.url, ...more }));
const sent = () => JSON.parse(scene.upstream.requests.at(-1)?.body.toString() ?? '');
const post = (path: string, body: object) =>
  scene.relay.send(path, JSON.stringify({ model: 'gpt-4o-mini', ...body }));
const linesOf = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
const hello = [{ role: 'user', content: 'Hello' }];
const png = 'iVBORw0KGgo=';

test('a chat reaches a channel of OpenAI in its shape, and is charged once', async () => {
  await put(1);
  const reply = await post('/api/chat', {
    stream: false,
    messages: [
      { role: 'user', content: 'Look', images: [png] },
      {
        role: 'assistant',
        content: '',
        tool_calls: [{ function: { name: 'look_up', arguments: { city: 'Paris' } } }],
      },
      { role: 'tool', tool_name: 'look_up', content: 'sunny' },
    ],
    format: { type: 'object' },
    options: { num_predict: 64, top_p: 0.5, stop: ['END'], num_ctx: 4_096 },
    keep_alive: '5m',
  });
  expect(JSON.parse(reply.text)).toEqual({
    model: 'gpt-4o-mini',
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    message: { role: 'assistant', content: 'Hi there' },
    done: true,
    done_reason: 'stop',
    prompt_eval_count: 11,
    eval_count: 7,
  });
  const called = { name: 'look_up', arguments: '{"city":"Paris"}' };
  expect(sent()).toEqual({
    model: 'gpt-4o-mini',
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Look' },
          { type: 'image_url', image_url: { url: `data:image/png;base64,${png}` } },
        ],
      },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'call_0', type: 'function', function: called }],
      },
      { role: 'tool', tool_call_id: 'call_0', content: 'sunny' },
    ],
    max_tokens: 64,
    top_p: 0.5,
    stop: 'END',
    response_format: {
      type: 'json_schema',
      json_schema: { name: 'answer', schema: { type: 'object' } },
    },
  });
  expect((await scene.relay.journal.used()).usage).toMatchObject({
    promptTokens: 11,
    completionTokens: 7,
  });
  expect(scene.relay.journal.outcomes).toHaveLength(1);
  expect(scene.relay.leases.settled).toHaveLength(1);
});

test('stream by default, line by line, with whole calls and counts at the end', async () => {
  await put(1);
  const piece = (delta: object) => chunkEvent('', { choices: [{ index: 0, delta }] });
  scene.answer = sse([
    piece({ reasoning_content: 'Hm.' }),
    chunkEvent('Hi'),
    piece({ tool_calls: [{ index: 0, id: 'c1', function: { name: 'f', arguments: '{"a"' } }] }),
    piece({ tool_calls: [{ index: 0, function: { arguments: ':1}' } }] }),
    chunkEvent('', { choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] }),
    usageChunk(usageOf(11, 7)),
    doneEvent,
  ]);
  const reply = await post('/api/chat', { messages: hello });
  expect(reply.headers['content-type']).toBe('application/x-ndjson');
  const lines = linesOf(reply.text);
  expect(lines.map(({ message, done }) => [message, done])).toEqual([
    [{ role: 'assistant', content: '', thinking: 'Hm.' }, false],
    [{ role: 'assistant', content: 'Hi' }, false],
    [
      {
        role: 'assistant',
        content: '',
        tool_calls: [{ id: 'c1', function: { name: 'f', arguments: { a: 1 } } }],
      },
      false,
    ],
    [{ role: 'assistant', content: '' }, true],
  ]);
  expect(lines.at(-1)).toMatchObject({ prompt_eval_count: 11, eval_count: 7 });
  expect((await scene.relay.journal.used()).usage).toMatchObject({ completionTokens: 7 });
  expect(scene.relay.leases.settled).toHaveLength(1);
});

test('a prompt is a chat with one turn', async () => {
  await put(1);
  const reply = await post('/api/generate', { prompt: 'Hello', system: 'Be kind', stream: false });
  expect(JSON.parse(reply.text)).toMatchObject({ response: 'Hi there', done: true });
  expect(sent().messages).toEqual([{ role: 'system', content: 'Be kind' }, ...hello]);
  const refused = await post('/api/generate', { prompt: 'a', suffix: 'b', stream: false });
  expect([refused.status, JSON.parse(refused.text).error]).toEqual([
    400,
    expect.stringContaining('suffix'),
  ]);
  const empty = await post('/api/generate', { stream: false });
  expect([empty.status, JSON.parse(empty.text).error]).toEqual([
    400,
    expect.stringContaining('prompt is required'),
  ]);
  expect(scene.upstream.requests).toHaveLength(1);
});

test('a channel of Ollama gets requests of its own protocol, with its options', async () => {
  await put(4);
  const message = { role: 'assistant', content: 'Hi', thinking: 'Hm.' };
  const counts = { prompt_eval_count: 3, eval_count: 1 };
  scene.answer = json({
    model: 'gpt-4o-mini',
    message,
    done: true,
    done_reason: 'stop',
    ...counts,
  });
  const options = { num_ctx: 4_096, num_gpu: 1, num_predict: 64 };
  const own = { options, think: 'low', keep_alive: '5m' };
  const reply = await post('/api/chat', { messages: hello, stream: false, ...own });
  expect(scene.upstream.requests[0]?.path).toBe('/api/chat');
  expect(sent()).toEqual({ model: 'gpt-4o-mini', messages: hello, stream: false, ...own });
  expect(JSON.parse(reply.text)).toMatchObject({ message, done: true, ...counts });
  expect((await scene.relay.journal.used()).usage).toMatchObject({
    promptTokens: 3,
    completionTokens: 1,
  });
});

test('thinking is requested in the form of the model that answers', async () => {
  const asked = async (type: number, model: string, think: unknown) => {
    await put(type, { models: [model] });
    await scene.relay.put.option('ModelRatio', JSON.stringify({ [model]: 1 }));
    await post('/api/chat', { model, messages: hello, stream: false, think });
    return sent();
  };
  expect((await asked(1, 'gpt-5', 'high')).reasoning_effort).toBe('high');
  expect((await asked(1, 'gpt-5', false)).reasoning_effort).toBeUndefined();
  expect((await asked(14, 'claude-sonnet-4-5', true)).thinking).toMatchObject({ type: 'enabled' });
  const { thinkingConfig } = (await asked(24, 'gemini-2.5-flash', 'low')).generationConfig;
  expect(thinkingConfig.thinkingBudget).toBeGreaterThan(0);
});

test('texts are embedded', async () => {
  await put(1);
  scene.answer = json({ data: [{ index: 0, embedding: [0.5] }], usage: { prompt_tokens: 2 } });
  const reply = await post('/api/embed', { input: ['a'], truncate: true });
  expect(JSON.parse(reply.text)).toEqual({
    model: 'gpt-4o-mini',
    embeddings: [[0.5]],
    prompt_eval_count: 2,
  });
  expect(sent()).toEqual({ model: 'gpt-4o-mini', input: ['a'], encoding_format: 'float' });
});

test('the list holds the models of the key', async () => {
  await put(1);
  const reply = await scene.relay.get('/api/tags');
  const { models } = JSON.parse(reply.text);
  expect(models.map(({ name }: { name: string }) => name)).toContain('gpt-4o-mini');
});

test('a limit among the options bounds the reservation', async () => {
  await put(1);
  scene.relay.leases.funds = 100_000;
  const limited = (num_predict: number) =>
    post('/api/chat', { messages: hello, stream: false, options: { num_predict } });
  expect((await limited(900_000)).status).toBe(402);
  expect(scene.upstream.requests).toEqual([]);
  expect((await limited(64)).status).toBe(200);
});

test('errors have the shape of the protocol, in a stream as well', async () => {
  await put(1);
  const wrong = await scene.relay.send('/api/chat', '{}', { authorization: 'Bearer sk-wrong' });
  expect([wrong.status, Object.keys(JSON.parse(wrong.text))]).toEqual([401, ['error']]);
  scene.answer = (_req, res) => {
    res.writeHead(200, { 'content-type': 'text/event-stream' });
    res.write(chunkEvent('Hi'));
    setTimeout(() => res.destroy(), 20);
  };
  const reply = await post('/api/chat', { messages: hello });
  expect(linesOf(reply.text).at(-1)).toEqual({ error: expect.any(String) });
});

test('other addresses under /api are the console’s', async () => {
  const { isRelayPath } = await import('./routes.ts');
  const own = ['/api/chat', '/api/generate', '/api/embed', '/api/tags', '/api/tags?x=1'];
  expect(own.map(isRelayPath)).toEqual(own.map(() => true));
  const others = ['/api/chats', '/api/chat/', '/api/user/self', '/api/status', '/api/'];
  expect(others.map(isRelayPath)).toEqual(others.map(() => false));
});

test('addresses of Groq lead to OpenAI’s calls', async () => {
  await put(1);
  const reply = await post('/openai/v1/chat/completions', { messages: hello });
  expect(JSON.parse(reply.text)).toEqual(chatAnswer(usageOf(11, 7)));
  expect(scene.upstream.requests[0]?.path).toBe('/v1/chat/completions');
  expect((await scene.relay.journal.used()).usage).toMatchObject({ promptTokens: 11 });
  expect(JSON.parse((await scene.relay.get('/openai/v1/models')).text).object).toBe('list');
  expect((await post('/openai/v1/nothing', {})).status).toBe(404);
});
