import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ChannelTestReply } from '../../domain/relay/messages.ts';
import {
  type Answer,
  aChannel,
  chatAnswer,
  chatBody,
  type Harness,
  json,
  sse,
  startHarness,
  startUpstream,
  type UpstreamSpy,
  usageOf,
} from '../support/relay/relay-harness.ts';

const claudeUsage = {
  input_tokens: 10,
  cache_read_input_tokens: 100,
  cache_creation_input_tokens: 40,
  output_tokens: 20,
};
const claudeAnswer = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude-x',
  content: [{ type: 'text', text: 'Hi there' }],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: claudeUsage,
};

const event = (data: { type: string } & Record<string, unknown>): string =>
  `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
const startEvent = event({
  type: 'message_start',
  message: { ...claudeAnswer, content: [], usage: { ...claudeUsage, output_tokens: 1 } },
});
const textEvents = [
  event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
  event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hi there' } }),
  event({ type: 'content_block_stop', index: 0 }),
];
const endEvents = [
  event({
    type: 'message_delta',
    delta: { stop_reason: 'end_turn', stop_sequence: null },
    usage: { output_tokens: 20 },
  }),
  event({ type: 'message_stop' }),
];

let relay: Harness;
let upstream: UpstreamSpy;
let answer: Answer;

beforeEach(async () => {
  relay = await startHarness();
  answer = json(claudeAnswer);
  upstream = await startUpstream((req, res, body) => answer(req, res, body));
  await relay.put.channel(aChannel(1, { type: 14, baseUrl: upstream.url }));
});
afterEach(async () => {
  upstream.close();
  await relay.close();
});

const chat = (more: object = {}) => relay.send('/v1/chat/completions', chatBody(more));

test('a chat goes to a Claude channel in its own words, and is billed by its own report', async () => {
  const reply = await chat();
  expect(reply.status).toBe(200);
  expect(JSON.parse(reply.text)).toMatchObject({
    object: 'chat.completion',
    choices: [{ message: { role: 'assistant', content: 'Hi there' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 150, completion_tokens: 20 },
  });
  const [sent] = upstream.requests;
  expect(sent?.path).toBe('/v1/messages');
  expect(sent?.headers).toMatchObject({ 'x-api-key': 'upstream-key-1' });
  expect(sent?.headers.authorization).toBeUndefined();
  expect(await relay.journal.used()).toMatchObject({
    usageSource: 'upstream',
    usage: {
      promptTokens: 10,
      completionTokens: 20,
      cachedTokens: 100,
      cacheCreationTokens: 40,
      cacheApart: true,
    },
  });
});

test('a stream is written chunk by chunk, with the usage for those who requested it', async () => {
  answer = sse([startEvent, ...textEvents, ...endEvents]);
  const asked = await chat({ stream: true, stream_options: { include_usage: true } });
  expect(asked.headers['content-type']).toBe('text/event-stream');
  expect(asked.text).toContain('"content":"Hi there"');
  expect(asked.text).toContain('"prompt_tokens":150');
  expect(asked.text.endsWith('data: [DONE]\n\n')).toBe(true);
  const plain = await chat({ stream: true });
  expect(plain.text).not.toContain('prompt_tokens');
  expect(await relay.journal.used(1)).toMatchObject({
    end: 'complete',
    usage: { promptTokens: 10, completionTokens: 20 },
  });
});

test('an answer without usage is counted, and the caller sees the count', async () => {
  const { usage: _none, ...silent } = claudeAnswer;
  answer = json(silent);
  const reply = JSON.parse((await chat()).text);
  const used = await relay.journal.used();
  expect(used.usageSource).toBe('counted');
  expect(reply.usage).toMatchObject({ completion_tokens: used.usage.completionTokens });
});

test('an error of the provider goes to the next channel, and then to the caller', async () => {
  await relay.put.option('RetryTimes', '1');
  await relay.put.channel(aChannel(2, { type: 14, baseUrl: upstream.url, priority: -1 }));
  const error = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } };
  answer = json(error, 529);
  const reply = await chat();
  expect(reply.status).toBe(529);
  expect(JSON.parse(reply.text).error).toMatchObject({ type: 'overloaded_error' });
  expect(upstream.requests).toHaveLength(2);
  expect(await relay.journal.failed()).toMatchObject({ statusCode: 529 });
});

test('an error as the first event of a stream is no answer: the next channel is called', async () => {
  await relay.put.option('RetryTimes', '1');
  await relay.put.channel(aChannel(2, { type: 1, baseUrl: upstream.url, priority: -1 }));
  const error = event({ type: 'error', error: { type: 'overloaded_error', message: 'Busy' } });
  answer = (req, res, body) =>
    (req.url === '/v1/messages' ? sse([error]) : json(chatAnswer(usageOf(3, 4))))(req, res, body);
  const reply = await chat({ stream: true });
  expect(reply.text).toContain('Hi there');
  expect((await relay.journal.used()).call.channelsTried).toEqual([1, 2]);
});

test('a stream that breaks off is billed by what it reported, and the caller is informed', async () => {
  answer = (_req, res) => {
    res.writeHead(200, { 'content-type': 'text/event-stream' });
    res.write(startEvent + textEvents.join(''), () => res.destroy());
  };
  const reply = await chat({ stream: true });
  expect(reply.text).toContain('Hi there');
  expect(reply.text).toContain('"error"');
  expect(await relay.journal.used()).toMatchObject({ end: 'upstream-broken' });
});

test('a caller who leaves is billed by what the provider reports in the end', async () => {
  let finish = (): void => {};
  answer = (_req, res) => {
    res.writeHead(200, { 'content-type': 'text/event-stream' });
    res.write(startEvent + textEvents.join(''));
    finish = () => res.end(endEvents.join(''));
  };
  const control = new AbortController();
  const closed = relay.nextClose();
  const response = await fetch(`http://127.0.0.1:${relay.port}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${'k'.repeat(48)}` },
    body: chatBody({ stream: true }),
    signal: control.signal,
  });
  await response.body?.getReader().read();
  control.abort();
  await closed;
  finish();
  expect(await relay.journal.used()).toMatchObject({
    end: 'client-gone',
    usageSource: 'upstream',
    usage: { completionTokens: 20 },
  });
});

test('a picture from a private address is not fetched for a caller', async () => {
  const url = `${upstream.url}/secret.png`;
  const reply = await chat({
    messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }],
  });
  expect([reply.status, upstream.requests.length]).toEqual([400, 0]);
  expect(await relay.journal.failed()).toMatchObject({ statusCode: 400 });
});

test('a kind of call that the provider does not offer goes to a channel that does', async () => {
  const ask = () => relay.send('/v1/embeddings', '{"model":"text-embedding-3-small","input":"x"}');
  expect(JSON.parse((await ask()).text).error.code).toBe('invalid_api_type');
  await relay.put.option('RetryTimes', '1');
  await relay.put.channel(aChannel(2, { baseUrl: upstream.url, priority: -1 }));
  answer = json({ object: 'list', data: [], usage: { prompt_tokens: 1, total_tokens: 1 } });
  expect((await ask()).status).toBe(200);
});

test('a channel of any provider can be tested, and the test names the error', async () => {
  const ask = () =>
    relay.bus.request<object, ChannelTestReply>('relay.test-channel', { channelId: 1, model: '' });
  expect(await ask()).toMatchObject({ success: true, message: '' });
  expect(upstream.requests[0]?.path).toBe('/v1/messages');
  answer = json({ type: 'error', error: { type: 'x', message: 'no money' } }, 402);
  expect(await ask()).toMatchObject({ success: false, message: 'status 402: no money' });
  expect(relay.journal.startedEntries).toEqual([]);
});

test('reasoning models of OpenAI get the body that they require', async () => {
  await relay.put.channel(
    aChannel(1, { baseUrl: upstream.url, modelMapping: '{"gpt-4o-mini":"o3-mini-high"}' }),
  );
  answer = json(chatAnswer(usageOf(3, 4)));
  expect((await chat({ max_tokens: 9, temperature: 1 })).status).toBe(200);
  expect(JSON.parse(upstream.requests[0]?.body.toString() ?? '')).toEqual({
    model: 'o3-mini',
    messages: [{ role: 'user', content: 'Hello' }],
    max_completion_tokens: 9,
    reasoning_effort: 'high',
  });
});
