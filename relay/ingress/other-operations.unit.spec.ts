import { expect, test } from 'vitest';
import { aChannel, json, sse } from '../../tests/support/relay/relay-harness.ts';
import { relayScene } from '../../tests/support/relay/scene.ts';

const scene = relayScene({ usual: json({}) });

const usage = {
  input_tokens: 30,
  input_tokens_details: { cached_tokens: 10 },
  output_tokens: 5,
  total_tokens: 35,
};
const response = (status: string, more: object = {}) => ({
  id: 'resp_1',
  object: 'response',
  status,
  output: [{ type: 'message', content: [{ type: 'output_text', text: 'Hi' }] }],
  ...more,
});
const event = (data: { type: string } & Record<string, unknown>): string =>
  `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
const delta = event({ type: 'response.output_text.delta', delta: 'Hi there' });
const ask = (more: object = {}) =>
  scene.relay.send(
    '/v1/responses',
    JSON.stringify({ model: 'gpt-4o-mini', input: 'Hello', ...more }),
  );

test('a response passes through as bytes and is billed with its cached tokens', async () => {
  const whole = response('completed', { usage });
  scene.answer = json(whole);
  const reply = await ask({ max_output_tokens: 50, store: false });
  expect(JSON.parse(reply.text)).toEqual(whole);
  expect(scene.upstream.requests[0]?.path).toBe('/v1/responses');
  expect(JSON.parse(scene.upstream.requests[0]?.body.toString() ?? '')).not.toHaveProperty(
    'stream_options',
  );
  expect((await scene.relay.journal.used()).usage).toMatchObject({
    promptTokens: 30,
    completionTokens: 5,
    cachedTokens: 10,
  });
});

test.each(['completed', 'incomplete', 'failed'])(
  'a stream that ends as %s is billed by the usage of its last event',
  async (end) => {
    const created = event({ type: 'response.created', response: response('x', { usage: null }) });
    const last = event({ type: `response.${end}`, response: response(end, { usage }) });
    scene.answer = sse([created, delta, last]);
    const reply = await ask({ stream: true });
    expect(reply.text).toBe(created + delta + last);
    expect(await scene.relay.journal.used()).toMatchObject({
      end: 'complete',
      usageSource: 'upstream',
      usage: { promptTokens: 30, completionTokens: 5 },
    });
  },
);

test('a response that failed before any text is not charged', async () => {
  scene.answer = sse([event({ type: 'response.failed', response: response('failed') })]);
  await ask({ stream: true });
  expect(await scene.relay.journal.failed()).toMatchObject({ kind: 'failed' });
});

test('a response without a report is counted', async () => {
  scene.answer = sse([delta, event({ type: 'response.completed', response: { usage: null } })]);
  await ask({ stream: true });
  expect(await scene.relay.journal.used()).toMatchObject({
    usageSource: 'counted',
    usage: { completionTokens: 2 },
  });
});

test('a provider that cannot chat is passed over for one that can', async () => {
  await scene.relay.put.channel(
    aChannel(1, { type: 38, priority: 5, baseUrl: scene.upstream.url }),
  );
  expect(JSON.parse((await ask()).text).error.code).toBe('invalid_api_type');
  await scene.relay.put.option('RetryTimes', '1');
  await scene.relay.put.channel(aChannel(2, { baseUrl: scene.upstream.url }));
  scene.answer = json(response('completed', { usage }));
  expect((await ask()).status).toBe(200);
});

test('a moderation that names no model is one of the usual model, paid by its input', async () => {
  const model = 'text-moderation-stable';
  await scene.relay.put.channel(aChannel(1, { models: [model], baseUrl: scene.upstream.url }));
  await scene.relay.put.option('ModelRatio', `{"${model}":1}`);
  scene.answer = json({ id: 'modr-1', results: [{ flagged: false }] });
  const reply = await scene.relay.send('/v1/moderations', '{"input":"hello there"}');
  expect(reply.status).toBe(200);
  expect(await scene.relay.journal.used()).toMatchObject({
    call: { model },
    usageSource: 'counted',
    usage: { promptTokens: 2, completionTokens: 0 },
  });
});

test.each(['["omni"]', '5', 'true'])('a moderation with the model %s is refused', async (model) => {
  const reply = await scene.relay.send('/v1/moderations', `{"model":${model},"input":"hello"}`);
  expect([reply.status, JSON.parse(reply.text).error.param]).toEqual([400, 'model']);
  expect(scene.upstream.requests).toHaveLength(0);
});

test('a ranking is paid by its input, and needs a query and documents', async () => {
  const model = 'jina-reranker';
  await scene.relay.put.channel(
    aChannel(1, { models: [model], type: 38, baseUrl: scene.upstream.url }),
  );
  await scene.relay.put.option('ModelRatio', `{"${model}":1}`);
  const refused = await scene.relay.send('/v1/rerank', `{"model":"${model}","query":"q"}`);
  expect([refused.status, JSON.parse(refused.text).error.param]).toEqual([400, 'documents']);
  for (const nothing of ['{"query":"","documents":["a"]}', '{"query":"q","documents":[ ]}']) {
    const asked = nothing.replace('{', `{"model":"${model}",`);
    expect((await scene.relay.send('/v1/rerank', asked)).status).toBe(400);
  }
  scene.answer = json({
    results: [{ index: 0, relevance_score: 0.5 }],
    usage: { total_tokens: 12, prompt_tokens: 12 },
  });
  const body = JSON.stringify({ model, query: 'q', documents: ['a', { text: 'b' }] });
  const reply = await scene.relay.send('/v1/rerank', body);
  expect(JSON.parse(reply.text).results).toMatchObject([{ index: 0, relevance_score: 0.5 }]);
  expect((await scene.relay.journal.used()).usage).toMatchObject({
    promptTokens: 12,
    completionTokens: 0,
  });
});
