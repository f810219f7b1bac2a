import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import {
  type Answer,
  aChannel,
  aToken,
  type Harness,
  json,
  rawKey,
  sse,
  startHarness,
  startUpstream,
  type UpstreamSpy,
} from '../../tests/support/relay/relay-harness.ts';
import type { JsonObject } from '../protocol/canonical.ts';

let relay: Harness;
let upstream: UpstreamSpy;
let answer: Answer;
const sockets: WebSocket[] = [];
beforeEach(async () => {
  relay = await startHarness();
  upstream = await startUpstream((req, res, body) => answer(req, res, body));
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.terminate();
  upstream.close();
  await relay.close();
});

const model = 'gpt-4o-mini';
const put = (type: number): Promise<void> =>
  relay.put.channel(aChannel(1, { type, baseUrl: upstream.url }));
const sent = (): ReturnType<typeof JSON.parse> =>
  JSON.parse(upstream.requests.at(-1)?.body.toString() ?? '');

type Caller = Readonly<{
  socket: WebSocket;
  ask: (frame: JsonObject) => void;
  /** Events up to the one that ends a response, or an error. */
  answered: () => Promise<readonly JsonObject[]>;
}>;

const isEnd = ({ type }: JsonObject): boolean =>
  type === 'error' || /^response\.(completed|failed|incomplete)$/.test(String(type));

const connect = async (key = `sk-${rawKey}`): Promise<Caller> => {
  const url = `ws://127.0.0.1:${relay.port}/v1/responses`;
  const socket = new WebSocket(url, { headers: { authorization: `Bearer ${key}` } });
  sockets.push(socket);
  const events: JsonObject[] = [];
  let wake = (): void => {};
  socket.on('message', (data) => {
    events.push(JSON.parse(String(data)));
    wake();
  });
  await new Promise((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
  });
  const answered = async (): Promise<readonly JsonObject[]> => {
    for (;;) {
      const end = events.findIndex(isEnd);
      if (end !== -1) return events.splice(0, end + 1);
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
  const ask = (frame: JsonObject): void =>
    socket.send(JSON.stringify({ type: 'response.create', model, ...frame }));
  return { socket, ask, answered };
};

const claudeAnswer = (text: string): Answer =>
  sse(
    [
      {
        type: 'message_start',
        message: { id: 'm', role: 'assistant', usage: { input_tokens: 3, output_tokens: 1 } },
      },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
      { type: 'content_block_stop', index: 0 },
      {
        type: 'message_delta',
        delta: { stop_reason: 'end_turn' },
        usage: { input_tokens: 3, output_tokens: 2 },
      },
      { type: 'message_stop' },
    ].map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`),
  );

const lastOf = (events: readonly JsonObject[]): ReturnType<typeof JSON.parse> => events.at(-1);
const booked = async (count: number): Promise<void> => {
  await expect.poll(() => relay.journal.outcomes.length, { timeout: 10_000 }).toBe(count);
};

test('each turn is answered in frames and charged once, and a connection keeps the earlier turns', async () => {
  await put(14);
  const caller = await connect();
  answer = claudeAnswer('Four.');
  caller.ask({ input: 'Two and two?', store: false });
  const first = await caller.answered();
  expect(first.map(({ type }) => type)).toEqual([
    'response.created',
    'response.in_progress',
    'response.output_item.added',
    'response.content_part.added',
    'response.output_text.delta',
    'response.output_text.done',
    'response.content_part.done',
    'response.output_item.done',
    'response.completed',
  ]);
  const { response } = lastOf(first);
  expect(response.output[0].content[0].text).toBe('Four.');
  expect(response.usage).toMatchObject({ input_tokens: 3, output_tokens: 2 });
  await booked(1);

  answer = claudeAnswer('Five.');
  const input = [{ role: 'user', content: 'And one more?' }];
  caller.ask({ input, store: false, previous_response_id: response.id });
  expect(lastOf(await caller.answered()).response.output[0].content[0].text).toBe('Five.');
  expect(sent().messages).toEqual([
    { role: 'user', content: 'Two and two?' },
    { role: 'assistant', content: 'Four.' },
    { role: 'user', content: 'And one more?' },
  ]);
  await booked(2);
});

const event = (own: JsonObject): string => `event: ${own.type}\ndata: ${JSON.stringify(own)}\n\n`;
const native = (id: string, more: JsonObject = {}): readonly JsonObject[] => {
  const usage = { input_tokens: 3, output_tokens: 2, total_tokens: 5 };
  return [
    { type: 'response.created', response: { id, status: 'in_progress' } },
    {
      type: 'response.completed',
      response: { id, status: 'completed', output: [], usage, ...more },
    },
  ];
};

test("a provider's own events arrive as they were, and what it keeps is continued there", async () => {
  await put(1);
  const caller = await connect();
  answer = sse(native('resp_a').map(event));
  caller.ask({ input: 'Hi' });
  expect(await caller.answered()).toEqual(native('resp_a'));
  expect(sent()).toEqual({ model, input: 'Hi', stream: true });
  caller.ask({ input: 'More', previous_response_id: 'resp_a' });
  await caller.answered();
  expect(sent()).toMatchObject({ input: 'More', previous_response_id: 'resp_a' });
  await booked(2);
});

test('what the provider does not keep goes up whole, without thoughts that it alone could read', async () => {
  await put(1);
  const caller = await connect();
  const call = { type: 'function_call', id: 'fc_1', call_id: 'c1', name: 'f', arguments: '{}' };
  const output = [{ type: 'reasoning', id: 'rs_1', summary: [] }, call];
  answer = sse(native('resp_a', { output }).map(event));
  caller.ask({ input: 'Hi', store: false });
  await caller.answered();
  const result = { type: 'function_call_output', call_id: 'c1', output: 'ok' };
  caller.ask({ input: [result], store: false, previous_response_id: 'resp_a' });
  await caller.answered();
  expect(sent()).toEqual({
    ...{ model, store: false, stream: true },
    input: [{ type: 'message', role: 'user', content: 'Hi' }, call, result],
  });
});

test('a caller that only prepares input is not charged, and may continue it', async () => {
  await put(14);
  const caller = await connect();
  caller.ask({ input: 'Be brief.', generate: false });
  const { response } = lastOf(await caller.answered());
  expect(response).toMatchObject({ status: 'completed', output: [] });
  expect(upstream.requests).toHaveLength(0);
  answer = claudeAnswer('Ok.');
  caller.ask({ input: 'Go', previous_response_id: response.id });
  await caller.answered();
  expect(sent().messages).toEqual([
    { role: 'user', content: [expect.anything(), expect.anything()] },
  ]);
  await booked(1);
});

test('refusals are events, and the connection stays', async () => {
  await put(1);
  const caller = await connect();
  caller.ask({ model: 'unknown-model', input: 'Hi' });
  expect(lastOf(await caller.answered())).toMatchObject({ type: 'error', status: 404 });
  caller.socket.send('no JSON');
  expect(lastOf(await caller.answered())).toMatchObject({
    ...{ type: 'error', status: 400 },
    error: { type: 'invalid_request_error' },
  });
  caller.socket.send('{"type":"response.cancel"}');
  expect(lastOf(await caller.answered()).error.message).toContain('response.cancel');
  answer = (_req, res) => {
    const headers = { 'content-type': 'application/json', 'retry-after': '7' };
    res.writeHead(429, headers).end('{"error":{"message":"slow down","code":"rate_limited"}}');
  };
  caller.ask({ input: 'Hi' });
  expect(lastOf(await caller.answered())).toMatchObject({
    ...{ type: 'error', status: 429 },
    error: { message: expect.stringContaining('saturated') },
    headers: { 'retry-after': '7' },
  });
  answer = sse(native('resp_b').map(event));
  caller.ask({ input: 'Hi' });
  expect(await caller.answered()).toEqual(native('resp_b'));
});

test('a response that is not kept cannot be continued', async () => {
  await put(14);
  const caller = await connect();
  const previous = `resp_tg${'0'.repeat(32)}`;
  caller.ask({ input: 'Hi', store: false, previous_response_id: previous });
  expect(lastOf(await caller.answered()).error.code).toBe('previous_response_not_found');
  caller.ask({ input: 'Hi', generate: false, previous_response_id: previous });
  expect(lastOf(await caller.answered()).error.code).toBe('previous_response_not_found');
  expect(upstream.requests).toHaveLength(0);
});

test('a caller with a wrong key is refused before the upgrade', async () => {
  await expect(connect('sk-wrong')).rejects.toThrow('401');
});

test('responses of one conversation follow each other, those of others do not wait', async () => {
  await put(1);
  const caller = await connect();
  const open: ServerResponse[] = [];
  answer = (_req, res) => {
    open.push(res);
  };
  const end = (at: number, id: string): void => {
    const res = open[at];
    res?.writeHead(200, { 'content-type': 'text/event-stream' });
    res?.end(native(id).map(event).join(''));
  };
  caller.ask({ input: '1', stream_id: 'a' });
  caller.ask({ input: '2', stream_id: 'a' });
  caller.ask({ input: '3', stream_id: 'b' });
  await expect.poll(() => upstream.requests.length).toBe(2);
  end(1, 'resp_3');
  expect(lastOf(await caller.answered())).toMatchObject({
    stream_id: 'b',
    response: { id: 'resp_3' },
  });
  end(0, 'resp_1');
  expect(lastOf(await caller.answered())).toMatchObject({ stream_id: 'a' });
  await expect.poll(() => upstream.requests.length).toBe(3);
  expect(sent().input).toBe('2');
  end(2, 'resp_2');
  expect(lastOf(await caller.answered())).toMatchObject({ response: { id: 'resp_2' } });
  await booked(3);
  expect(relay.bodies.used()).toBe(0);
});

test('a caller that leaves in the middle is booked once', async () => {
  await put(1);
  const caller = await connect();
  const delta = { type: 'response.output_text.delta', delta: 'Hello' };
  answer = (_req, res) => {
    res.writeHead(200, { 'content-type': 'text/event-stream' });
    res.write(event(native('resp_a')[0] ?? {}) + event(delta));
  };
  caller.ask({ input: 'Hi' });
  await new Promise((resolve) => caller.socket.once('message', resolve));
  caller.socket.close();
  await booked(1);
  expect(relay.bodies.used()).toBe(0);
});

test('each response counts against the limits of its caller', async () => {
  await put(1);
  await relay.put.token(rawKey, aToken({ limits: { requestsPerMinute: 1 } }));
  const caller = await connect();
  answer = sse(native('resp_a').map(event));
  for (const input of ['1', '2']) caller.ask({ input });
  expect(lastOf(await caller.answered()).type).toBe('response.completed');
  const refused = lastOf(await caller.answered());
  expect(refused).toMatchObject({ type: 'error', status: 429 });
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  await booked(1);
});

test('an answer in one piece ends the response', async () => {
  await put(1);
  const caller = await connect();
  const response = { id: 'resp_a', object: 'response', status: 'completed', output: [] };
  answer = json(response);
  caller.ask({ input: 'Hi' });
  expect(lastOf(await caller.answered())).toMatchObject({ type: 'response.completed', response });
});
