import { expect, test } from 'vitest';
import {
  chatAnswer,
  chatBody,
  chunkEvent,
  doneEvent,
  json,
  sse,
  usageChunk,
  usageOf,
} from '../support/relay/relay-harness.ts';
import { relayScene } from '../support/relay/scene.ts';

const scene = relayScene();

test('a chat reaches the provider byte for byte and its answer is returned byte for byte', async () => {
  scene.answer = json(chatAnswer(usageOf(100, 50)));
  const body = `{ "model":"gpt-4o-mini","temperature":0, "top_p" : 0.0,"unknown":{"x":[1e2, "\\u00e9"]},
    "messages":[{"role":"user","content":"h\\"i"}] }`;
  const reply = await scene.relay.send('/v1/chat/completions?beta=1', body);
  expect(reply.status).toBe(200);
  expect(reply.text).toBe(JSON.stringify(chatAnswer(usageOf(100, 50))));
  expect(scene.upstream.requests[0]?.body.toString()).toBe(body);
  expect(scene.upstream.requests[0]?.path).toBe('/v1/chat/completions?beta=1');
  expect(scene.upstream.requests[0]?.headers.authorization).toBe('Bearer upstream-key-1');
  expect(reply.headers['x-request-id']).toBe(reply.headers['x-oneapi-request-id']);
});

test('a chat is charged by what the provider reports', async () => {
  scene.answer = json(chatAnswer(usageOf(1000, 500)));
  const reply = await scene.relay.send('/v1/chat/completions', chatBody());
  const used = await scene.relay.journal.used();
  expect(used.usage).toEqual({
    promptTokens: 1000,
    completionTokens: 500,
    cachedTokens: 0,
    cacheCreationTokens: 0,
  });
  expect(used).toMatchObject({ usageSource: 'upstream', end: 'complete', usageNote: null });
  expect(used.call).toMatchObject({
    requestId: reply.headers['x-request-id'],
    channelId: 1,
    channelsTried: [1],
    model: 'gpt-4o-mini',
    upstreamModel: null,
    group: 'default',
    path: '/v1/chat/completions',
    isStream: false,
    firstByteMs: null,
  });
  // Who calls, and from where, is left to ids: a journal outlives the person.
  expect(JSON.stringify(used)).not.toContain('127.0.0.1');
  expect(scene.relay.leases.settled.map(({ amount }) => amount)).toEqual([225]);
  expect(scene.relay.leases.open).toBe(0);
});

test('a stream passes through with its usage requested, which the client does not see', async () => {
  const text = [chunkEvent('Hel', { usage: null }), chunkEvent('lo', { usage: null })];
  scene.answer = sse([...text, usageChunk(usageOf(20, 2)), doneEvent]);
  const body = chatBody({ stream: true });
  const reply = await scene.relay.send('/v1/chat/completions', body);
  expect(reply.headers['content-type']).toBe('text/event-stream');
  expect(reply.text).toBe(text.join('') + doneEvent);
  expect(scene.upstream.requests[0]?.body.toString()).toBe(
    `${body.slice(0, -1)},"stream_options":{"include_usage":true}}`,
  );
  const used = await scene.relay.journal.used();
  expect(used.usage).toMatchObject({ promptTokens: 20, completionTokens: 2 });
  expect(used.call.isStream).toBe(true);
  expect(used.call.firstByteMs).toBeGreaterThanOrEqual(0);
});

test('a client that requests usage gets the usage chunk of the provider', async () => {
  const parts = [chunkEvent('Hi'), usageChunk(usageOf(20, 1)), doneEvent];
  scene.answer = sse(parts);
  const body = chatBody({ stream: true, stream_options: { include_usage: true } });
  const reply = await scene.relay.send('/v1/chat/completions', body);
  expect(reply.text).toBe(parts.join(''));
  expect(scene.upstream.requests[0]?.body.toString()).toBe(body);
});

test('a client that requests usage gets it counted where the provider gives none', async () => {
  scene.answer = sse([chunkEvent('Hello there'), doneEvent]);
  const body = chatBody({ stream: true, stream_options: { include_usage: true } });
  const reply = await scene.relay.send('/v1/chat/completions', body);
  const used = await scene.relay.journal.used();
  expect(used.usageSource).toBe('counted');
  expect(used.usage.completionTokens).toBe(2);
  const events = reply.text.trim().split('\n\n');
  expect(JSON.parse(events[1]?.slice(6) ?? '')).toMatchObject({
    choices: [],
    usage: { completion_tokens: 2 },
  });
  expect(events[2]).toBe('data: [DONE]');
});

test('embeddings and completions take the same way', async () => {
  scene.answer = json({ object: 'list', data: [], usage: { prompt_tokens: 8, total_tokens: 8 } });
  const body = '{"model":"text-embedding-3-small","input":["a","b"],"dimensions":0}';
  expect((await scene.relay.send('/v1/embeddings', body)).status).toBe(200);
  expect(scene.upstream.requests[0]?.body.toString()).toBe(body);
  expect((await scene.relay.journal.used(0)).usage).toMatchObject({
    promptTokens: 8,
    completionTokens: 0,
  });
  scene.answer = json({ choices: [{ text: 'x' }], usage: usageOf(3, 1) });
  await scene.relay.send('/v1/completions', '{"model":"gpt-3.5-turbo-instruct","prompt":"once"}');
  expect(scene.upstream.requests[1]?.path).toBe('/v1/completions');
  expect((await scene.relay.journal.used(1)).usage).toMatchObject({
    promptTokens: 3,
    completionTokens: 1,
  });
});

test('the last byte waits until the request is booked', async () => {
  let open: () => void = () => {};
  scene.relay.journal.gate = new Promise((resolve) => {
    open = resolve;
  });
  scene.answer = sse([chunkEvent('Hi'), usageChunk(usageOf(2, 1)), doneEvent]);
  let answered = false;
  const sent = scene.relay
    .send('/v1/chat/completions', chatBody({ stream: true }))
    .then((reply) => {
      answered = true;
      return reply;
    });
  await scene.relay.journal.used();
  await new Promise((resolve) => setImmediate(resolve));
  expect(answered).toBe(false);
  open();
  expect((await sent).text.endsWith(doneEvent)).toBe(true);
});
