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
const hello = [{ role: 'user', content: 'Hello' }];
const chat = (more: object = {}) =>
  scene.relay.send('/v2/chat', JSON.stringify({ model: 'gpt-4o-mini', messages: hello, ...more }));
const eventsOf = (text: string) =>
  text
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line) => JSON.parse(line.slice(6)));
const tool = {
  type: 'function',
  function: { name: 'look_up', parameters: { type: 'object', properties: {} } },
};

test('a chat reaches a channel of OpenAI in its shape, and is charged once', async () => {
  await put(1);
  const reply = await chat({
    max_tokens: 64,
    p: 0.5,
    stop_sequences: ['END'],
    tools: [tool],
    strict_tools: true,
    tool_choice: 'REQUIRED',
    response_format: { type: 'json_object', json_schema: { type: 'object' } },
  });
  expect(JSON.parse(reply.text)).toEqual({
    id: 'chatcmpl-1',
    finish_reason: 'COMPLETE',
    message: { role: 'assistant', content: [{ type: 'text', text: 'Hi there' }] },
    usage: {
      billed_units: { input_tokens: 11, output_tokens: 7 },
      tokens: { input_tokens: 11, output_tokens: 7 },
    },
  });
  expect(scene.upstream.requests.map(({ path }) => path)).toEqual(['/v1/chat/completions']);
  expect(sent()).toEqual({
    model: 'gpt-4o-mini',
    messages: hello,
    max_tokens: 64,
    top_p: 0.5,
    stop: 'END',
    tools: [{ ...tool, function: { ...tool.function, strict: true } }],
    tool_choice: 'required',
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

test('calls, their plan, their results and documents go up as messages', async () => {
  await put(1);
  const call = { id: 'c1', type: 'function', function: { name: 'look_up', arguments: '{}' } };
  const document = { type: 'document', document: { data: { sky: 'grey' } } };
  await chat({
    messages: [
      ...hello,
      { role: 'assistant', tool_plan: 'I look it up.', tool_calls: [call] },
      { role: 'tool', tool_call_id: 'c1', content: [{ type: 'text', text: 'rain' }, document] },
    ],
    documents: ['a plain one', { id: 'd7', data: { text: 'another' } }],
  });
  expect(sent().messages).toEqual([
    { role: 'system', content: 'Documents:\n[doc_0] a plain one\n[d7] {"text":"another"}' },
    ...hello,
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: 'c1', content: 'rain\n{"sky":"grey"}' },
  ]);
});

test('a stream is written as events, with usage in the last one', async () => {
  await put(1);
  const callChunk = (delta: object) => chunkEvent('', { choices: [{ index: 0, delta }] });
  scene.answer = sse([
    callChunk({ reasoning_content: 'Hm.' }),
    chunkEvent('Hi'),
    callChunk({
      tool_calls: [{ index: 0, id: 'c1', function: { name: 'look_up', arguments: '' } }],
    }),
    callChunk({ tool_calls: [{ index: 0, function: { arguments: '{"a":1}' } }] }),
    chunkEvent('', { choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] }),
    usageChunk(usageOf(11, 7)),
    doneEvent,
  ]);
  const reply = await chat({ stream: true });
  const events = eventsOf(reply.text);
  expect(events.map(({ type }) => type)).toEqual([
    'message-start',
    ...['content-start', 'content-delta', 'content-end'],
    ...['content-start', 'content-delta', 'content-end'],
    ...['tool-call-start', 'tool-call-delta', 'tool-call-end'],
    'message-end',
  ]);
  expect(events.at(-1)?.delta).toEqual({
    finish_reason: 'TOOL_CALL',
    usage: {
      billed_units: { input_tokens: 11, output_tokens: 7 },
      tokens: { input_tokens: 11, output_tokens: 7 },
    },
  });
  const start = events.find(({ type }) => type === 'tool-call-start');
  expect(start.delta.message.tool_calls).toMatchObject({ id: 'c1', function: { arguments: '' } });
  expect(sent()).toMatchObject({ stream: true, stream_options: { include_usage: true } });
  expect((await scene.relay.journal.used()).usage).toMatchObject({ completionTokens: 7 });
  expect(scene.relay.leases.settled).toHaveLength(1);
});

test('a channel of Cohere gets requests of its newer protocol, with its special members', async () => {
  await put(34);
  scene.answer = json({
    id: 'r1',
    finish_reason: 'COMPLETE',
    message: {
      role: 'assistant',
      content: [{ type: 'text', text: 'Hi' }],
      citations: [{ start: 0, end: 2, text: 'Hi', sources: [] }],
    },
    usage: { billed_units: { input_tokens: 3, output_tokens: 1 } },
  });
  const own = {
    documents: [{ id: 'd', data: { text: 'x' } }],
    citation_options: { mode: 'FAST' },
    thinking: { type: 'enabled', token_budget: 100 },
    safety_mode: 'STRICT',
    k: 3,
    p: 0.2,
  };
  const reply = await chat(own);
  expect(scene.upstream.requests[0]?.path).toBe('/v2/chat');
  expect(sent()).toEqual({ model: 'gpt-4o-mini', messages: hello, ...own });
  expect(JSON.parse(reply.text).message.citations).toHaveLength(1);
  expect((await scene.relay.journal.used()).usage).toMatchObject({
    promptTokens: 3,
    completionTokens: 1,
  });
});

test('citations of Cohere stay in a stream of the same protocol', async () => {
  await put(34);
  const citation = { start: 0, end: 2, text: 'Hi', sources: [{ type: 'document', id: 'd' }] };
  const usage = { billed_units: { input_tokens: 3, output_tokens: 1 } };
  const events = [
    { type: 'message-start', id: 'r1', delta: { message: { role: 'assistant' } } },
    {
      type: 'content-start',
      index: 0,
      delta: { message: { content: { type: 'text', text: '' } } },
    },
    { type: 'content-delta', index: 0, delta: { message: { content: { text: 'Hi' } } } },
    { type: 'citation-start', index: 0, delta: { message: { citations: citation } } },
    { type: 'citation-end', index: 0 },
    { type: 'content-end', index: 0 },
    { type: 'message-end', id: 'r1', delta: { finish_reason: 'COMPLETE', usage } },
  ];
  scene.answer = sse(
    events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`),
  );
  const reply = await chat({ stream: true });
  const got = eventsOf(reply.text);
  expect(got.map(({ type }) => type)).toEqual(events.map(({ type }) => type));
  expect(got[3]).toEqual(events[3]);
  expect((await scene.relay.journal.used()).usage).toMatchObject({ promptTokens: 3 });
});

test('what a model cannot do is refused with its name, and charges nothing', async () => {
  await put(1);
  for (const [more, name] of [
    [{ safety_mode: 'STRICT' }, 'safety_mode'],
    [{ raw_prompting: true }, 'raw_prompting'],
    [{ logprobs: true }, 'logprobs'],
  ] as const) {
    const reply = await chat(more);
    expect([reply.status, JSON.parse(reply.text).message]).toEqual([
      400,
      expect.stringContaining(name),
    ]);
  }
  expect(scene.upstream.requests).toEqual([]);
  expect(scene.relay.leases.settled.map(({ amount }) => amount)).toEqual([0, 0, 0]);
});

test('errors have the shape of the protocol, whoever makes them', async () => {
  await put(1);
  const wrong = await scene.relay.send('/v2/chat', '{}', { authorization: 'Bearer sk-wrong' });
  expect([wrong.status, Object.keys(JSON.parse(wrong.text))]).toEqual([401, ['id', 'message']]);
  scene.answer = json({ error: { message: 'no such thing', type: 'invalid_request_error' } }, 400);
  const reply = await chat();
  expect([reply.status, JSON.parse(reply.text).message]).toEqual([
    400,
    expect.stringContaining('no such thing'),
  ]);
});

test("a ranking is sent to channels of either protocol and returned in the caller's", async () => {
  const body = { model: 'gpt-4o-mini', query: 'q', documents: ['a', 'b'], top_n: 1 };
  const results = [{ index: 1, relevance_score: 0.9 }];
  const rank = () =>
    scene.relay.send('/v2/rerank', JSON.stringify({ ...body, max_tokens_per_doc: 100 }));
  await put(34);
  scene.answer = json({ id: 'x', results, meta: { billed_units: { search_units: 1 } } });
  expect(JSON.parse((await rank()).text).results).toEqual(results);
  expect(scene.upstream.requests[0]?.path).toBe('/v2/rerank');
  expect(sent()).toEqual({ ...body, max_tokens_per_doc: 100 });
  await put(1);
  scene.answer = json({ results, usage: usageOf(8, 0) });
  expect(JSON.parse((await rank()).text)).toMatchObject({
    results,
    meta: { tokens: { input_tokens: 8 } },
  });
  expect(scene.upstream.requests[1]?.path).toBe('/v1/rerank');
  expect(sent()).toEqual(body);
  expect((await scene.relay.journal.used(1)).usage).toMatchObject({ promptTokens: 8 });
});

test('texts are embedded by a channel of either protocol', async () => {
  const embed = (more: object = {}) =>
    scene.relay.send(
      '/v2/embed',
      JSON.stringify({ model: 'gpt-4o-mini', texts: ['a'], input_type: 'search_query', ...more }),
    );
  await put(1);
  scene.answer = json({ data: [{ index: 0, embedding: [0.5] }], usage: { prompt_tokens: 2 } });
  expect(JSON.parse((await embed()).text)).toMatchObject({
    embeddings: { float: [[0.5]] },
    meta: { billed_units: { input_tokens: 2 } },
  });
  expect(sent()).toEqual({ model: 'gpt-4o-mini', input: ['a'], encoding_format: 'float' });
  await put(34);
  scene.answer = json({
    embeddings: { float: [[0.5]] },
    meta: { billed_units: { input_tokens: 2 } },
  });
  expect((await embed()).status).toBe(200);
  expect(sent()).toMatchObject({ texts: ['a'], input_type: 'search_query' });
  const refused = await embed({ embedding_types: ['int8'] });
  expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('int8')]);
});

test('a blocked word is found inside a document', async () => {
  await put(1);
  await scene.relay.put.option('CheckSensitiveEnabled', 'true');
  await scene.relay.put.option('CheckSensitiveOnPromptEnabled', 'true');
  await scene.relay.put.option('SensitiveWords', 'forbidden');
  const reply = await chat({ documents: [{ data: { text: 'quite Forbidden' } }] });
  expect(reply.status).toBe(400);
  expect(scene.upstream.requests).toEqual([]);
});

test('thinking is requested in the form of the model that answers', async () => {
  const thinking = { type: 'enabled', token_budget: 2_048 };
  const asked = async (type: number, model: string, more: object) => {
    await put(type, { models: [model] });
    await scene.relay.put.option('ModelRatio', JSON.stringify({ [model]: 1 }));
    await chat({ model, max_tokens: 8_192, ...more });
    return sent();
  };
  expect(await asked(14, 'claude-sonnet-4-5', { thinking })).toMatchObject({
    thinking: { type: 'enabled', budget_tokens: 2_048 },
  });
  expect(await asked(24, 'gemini-2.5-flash', { thinking })).toMatchObject({
    generationConfig: { thinkingConfig: { thinkingBudget: 2_048 } },
  });
  expect(await asked(1, 'gpt-5', { thinking })).toMatchObject({
    reasoning_effort: 'low',
    max_completion_tokens: 8_192,
  });
});
