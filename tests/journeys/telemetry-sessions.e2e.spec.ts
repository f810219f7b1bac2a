import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { type CollectedSpan, type Collector, startCollector } from '../support/collector.ts';
import { addChannel, addToken, type ConsoleClient, setUpSite } from '../support/console-client.ts';
import { eventually, type Product, removeData, startProduct } from '../support/product.ts';
import { type StubProvider, startStubProvider } from '../support/stub-provider/server.ts';
import { createStubVideos } from '../support/stub-provider/videos.ts';

const callersTrace = '4bf92f3577b34da6a3ce929d0e0e4736';
const callersSpan = '00f067aa0ba902b7';
const realtimeModel = 'gpt-4o-realtime-preview';
const liveModel = 'gemini-live-2.5-flash-preview';
const livePath = '/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent';

const stubVideos = createStubVideos((key) => key === 'sora-key');
const videos = createServer((req, res) => {
  const parts: Buffer[] = [];
  req.on('data', (part: Buffer) => parts.push(part));
  req.on('end', () => {
    const { method = 'GET', url = '/', headers } = req;
    void stubVideos.serve(res, { method, url, headers, body: Buffer.concat(parts) });
  });
});

let collector: Collector;
let provider: StubProvider;
let product: Product;
let admin: ConsoleClient;
let key = '';

beforeAll(async () => {
  collector = await startCollector();
  provider = await startStubProvider();
  await new Promise<void>((resolve) => videos.listen(0, '127.0.0.1', resolve));
  const { port } = videos.address() as AddressInfo;
  product = await startProduct({
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_BSP_SCHEDULE_DELAY: '50' },
  });
  admin = await setUpSite(product.url);
  await addChannel(admin, provider.url, { models: `gpt-4o-mini,${realtimeModel}` });
  await admin.call('PUT', '/api/option/', {
    key: 'ModelRatio',
    value: JSON.stringify({ [liveModel]: 1, [realtimeModel]: 2.5, 'gpt-4o-mini': 0.075 }),
  });
  const gemini = { type: 24, name: 'gemini', models: liveModel };
  await addChannel(admin, provider.url, gemini);
  const sora = { type: 55, name: 'sora', key: 'sora-key', models: 'sora-2' };
  await addChannel(admin, `http://127.0.0.1:${port}`, sora);
  ({ key } = await addToken(admin));
});
afterAll(async () => {
  await product?.stop();
  await provider?.close();
  await collector?.close();
  videos.closeAllConnections();
  videos.close();
  if (product !== undefined) removeData(product);
});

type Conversation = Readonly<{ event: object; end: string; times: number; traceparent: string }>;

const typeOf = (data: unknown): string =>
  (JSON.parse(String(data)) as Readonly<{ type: string }>).type;

/** Sends one event and waits for the end of a response, as often as configured; then closes. */
const converseOnce = async (
  path: string,
  { event, end, times, traceparent }: Conversation,
): Promise<void> => {
  const headers = { authorization: `Bearer sk-${key}`, traceparent };
  const socket = new WebSocket(`${product.url.replace(/^http/, 'ws')}${path}`, { headers });
  const ended: string[] = [];
  const ask = () => socket.send(JSON.stringify(event));
  socket.on('open', ask);
  socket.on('message', (data) => {
    const type = typeOf(data);
    if (type === end) ended.push(type);
    if (type === 'error' || ended.length === times) socket.close();
    else if (type === end) ask();
  });
  await new Promise((resolve, reject) => {
    socket.on('error', reject);
    socket.on('close', resolve);
  });
  expect(ended).toHaveLength(times);
};

const converse = (path: string, conversation: Conversation): Promise<void> =>
  eventually(() => converseOnce(path, conversation));

const named = (spans: readonly CollectedSpan[], name: string) =>
  spans.filter((span) => span.name === name);

/** The newest session of a path whose span is over, with all spans of its trace. */
const sessionOf = (
  traceId: string,
  name: string,
  want: (spans: readonly CollectedSpan[]) => void,
) =>
  eventually(async () => {
    const spans = collector.spans.filter((span) => span.traceId === traceId);
    const session = named(spans, name).find(
      ({ attributes }) => attributes['http.response.status_code'] === 101,
    );
    if (session === undefined) throw new Error(`no span ${name}`);
    want(spans);
    return { session, spans };
  }, 20_000);

test('a realtime session is one trace: its opening, each response, and the charge of each', async () => {
  const traceparent = `00-${callersTrace}-${callersSpan}-01`;
  const event = { type: 'response.create' };
  const path = `/v1/realtime?model=${realtimeModel}`;
  await converse(path, { event, end: 'response.done', times: 2, traceparent });
  const { session, spans } = await sessionOf(callersTrace, 'GET /v1/realtime', (found) => {
    expect(named(found, `chat ${realtimeModel}`)).toHaveLength(2);
    expect(named(found, 'settle')).toHaveLength(2);
    expect(named(found, 'project')).toHaveLength(2);
  });
  expect(session.parentSpanId).toBe(callersSpan);
  expect(session.isError).toBe(false);
  const opening = named(spans, `realtime ${realtimeModel}`).at(-1);
  expect(opening?.parentSpanId).toBe(session.spanId);
  expect(opening?.attributes['server.address']).toBe('127.0.0.1');
  const responses = named(spans, `chat ${realtimeModel}`);
  for (const response of responses) {
    expect(response.kind).toBe(3);
    expect(response.parentSpanId).toBe(session.spanId);
    // As the stub provider reports them.
    expect(response.attributes).toMatchObject({
      'gen_ai.provider.name': 'openai',
      'gen_ai.usage.input_tokens': 100,
      'gen_ai.usage.output_tokens': 50,
    });
  }
  expect(new Set(named(spans, 'settle').map(({ parentSpanId }) => parentSpanId))).toEqual(
    new Set(responses.map(({ spanId }) => spanId)),
  );
});

const isTurnEnd = (data: unknown): boolean => String(data).includes('"turnComplete":true');

/** A setup, so many questions one after the other, and the end of the connection. */
const liveOnce = async (traceparent: string, turns: number): Promise<void> => {
  const headers = { 'x-goog-api-key': `sk-${key}`, traceparent };
  const socket = new WebSocket(`${product.url.replace(/^http/, 'ws')}${livePath}`, { headers });
  let ended = 0;
  const say = (event: object) => socket.send(JSON.stringify(event));
  const content = [{ role: 'user', parts: [{ text: 'a gate at noon' }] }];
  const ask = () => say({ clientContent: { turns: content, turnComplete: true } });
  socket.on('open', () => say({ setup: { model: `models/${liveModel}` } }));
  socket.on('message', (data) => {
    if (String(data).includes('setupComplete')) ask();
    if (!isTurnEnd(data)) return;
    ended += 1;
    if (ended === turns) socket.close();
    else ask();
  });
  await new Promise((resolve, reject) => {
    socket.on('error', reject);
    socket.on('close', resolve);
  });
  expect(ended).toBe(turns);
};

test('a realtime session is one trace: its opening, each turn, and the charge of each', async () => {
  const traceId = '36a3ce929d0e0e474bf92f3577b34da6';
  await eventually(() => liveOnce(`00-${traceId}-${callersSpan}-01`, 2));
  const { session, spans } = await sessionOf(traceId, `GET ${livePath}`, (found) => {
    expect(named(found, `generate_content ${liveModel}`)).toHaveLength(2);
    expect(named(found, 'settle')).toHaveLength(2);
    expect(named(found, 'project')).toHaveLength(2);
  });
  expect(session.parentSpanId).toBe(callersSpan);
  expect(session.isError).toBe(false);
  const opening = named(spans, `realtime ${liveModel}`).at(-1);
  expect(opening?.parentSpanId).toBe(session.spanId);
  const turns = named(spans, `generate_content ${liveModel}`);
  for (const turn of turns) {
    expect(turn.kind).toBe(3);
    expect(turn.parentSpanId).toBe(session.spanId);
    // As the stub provider reports them.
    expect(turn.attributes).toMatchObject({
      'gen_ai.provider.name': 'gcp.gemini',
      'gen_ai.request.model': liveModel,
      'gen_ai.usage.input_tokens': 100,
      'gen_ai.usage.output_tokens': 50,
      'server.address': '127.0.0.1',
    });
  }
  expect(new Set(named(spans, 'settle').map(({ parentSpanId }) => parentSpanId))).toEqual(
    new Set(turns.map(({ spanId }) => spanId)),
  );
  expect(collector.text()).not.toContain('a gate at noon');
});

test('responses over a websocket are below the span of their connection', async () => {
  const traceId = 'a3ce929d0e0e47364bf92f3577b34da6';
  const traceparent = `00-${traceId}-${callersSpan}-01`;
  const event = { type: 'response.create', model: 'gpt-4o-mini', input: 'Hi' };
  await converse('/v1/responses', { event, end: 'response.completed', times: 2, traceparent });
  const { session, spans } = await sessionOf(traceId, 'GET /v1/responses', (found) => {
    expect(named(found, 'POST /v1/responses')).toHaveLength(2);
    expect(named(found, 'chat gpt-4o-mini')).toHaveLength(2);
    expect(named(found, 'settle')).toHaveLength(2);
  });
  expect(session.parentSpanId).toBe(callersSpan);
  const turns = named(spans, 'POST /v1/responses');
  expect(turns.map(({ parentSpanId }) => parentSpanId)).toEqual([session.spanId, session.spanId]);
  expect(session.endMs).toBeGreaterThanOrEqual(Math.max(...turns.map(({ endMs }) => endMs)));
});

test('a session that its caller does not sample leaves no span', async () => {
  const traceId = '0e0e4736a3ce929d4bf92f3577b34da6';
  const traceparent = `00-${traceId}-${callersSpan}-00`;
  const event = { type: 'response.create' };
  const path = `/v1/realtime?model=${realtimeModel}`;
  await converse(path, { event, end: 'response.done', times: 1, traceparent });
  const sampled = '1e0e4736a3ce929d4bf92f3577b34da6';
  await converse(path, {
    ...{ event, end: 'response.done', times: 1 },
    traceparent: `00-${sampled}-${callersSpan}-01`,
  });
  await sessionOf(sampled, 'GET /v1/realtime', (found) =>
    expect(named(found, 'project')).toHaveLength(1),
  );
  expect(collector.spans.filter((span) => span.traceId === traceId)).toEqual([]);
});

test('a task is one trace: its submission, the request to its provider, its charge and its polls', async () => {
  const traceId = 'b3ce929d0e0e47364bf92f3577b34da6';
  const headers = {
    authorization: `Bearer sk-${key}`,
    'content-type': 'application/json',
    traceparent: `00-${traceId}-${callersSpan}-01`,
  };
  const body = JSON.stringify({ model: 'sora-2', prompt: 'a gate at dawn', seconds: '4' });
  await eventually(async () => {
    const answer = await fetch(`${product.url}/v1/videos`, { method: 'POST', headers, body });
    expect(answer.status).toBe(200);
  });
  const spans = await eventually(async () => {
    await admin.call('POST', '/api/jobs/task-polling/run', {});
    const found = collector.spans.filter((span) => span.traceId === traceId);
    const statuses = named(found, 'poll video').map(
      ({ attributes }) => attributes['tollgate.task.status'],
    );
    expect(statuses).toContain('SUCCESS');
    expect(named(found, 'settle')).toHaveLength(1);
    return found;
  }, 60_000);
  const submission = named(spans, 'POST /v1/videos').find(({ isError }) => !isError);
  const asked = named(spans, 'videos sora-2').at(-1);
  expect(asked?.parentSpanId).toBe(submission?.spanId);
  expect(asked?.attributes['gen_ai.request.model']).toBe('sora-2');
  expect(named(spans, 'settle')[0]?.parentSpanId).toBe(submission?.spanId);
  for (const poll of named(spans, 'poll video')) {
    expect(poll.parentSpanId).toBe(submission?.spanId);
    expect(poll.isError).toBe(false);
  }
  expect(collector.text()).not.toContain('a gate at dawn');
});
