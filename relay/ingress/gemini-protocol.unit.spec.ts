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

describe('callers of generateContent', () => {
  const path = '/v1beta/models/gpt-4o-mini';
  const keyed = { authorization: '', 'x-goog-api-key': `sk-${rawKey}` };
  const question = JSON.stringify({ contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] });
  const metadata = { promptTokenCount: 6, candidatesTokenCount: 2, thoughtsTokenCount: 3 };
  const candidate = { content: { role: 'model', parts: [{ text: 'Hi' }] }, index: 0 };
  const content = {
    candidates: [{ ...candidate, finishReason: 'STOP' }],
    usageMetadata: metadata,
    modelVersion: 'g',
  };
  const line = (value: object) => `data: ${JSON.stringify(value)}\r\n\r\n`;

  test('reach a channel of the same protocol as bytes, and are billed by its report', async () => {
    await put(24);
    scene.answer = json(content);
    const reply = await scene.relay.send(`${path}:generateContent`, question, keyed);
    expect(JSON.parse(reply.text)).toEqual(content);
    const [request] = scene.upstream.requests;
    expect(request?.path).toBe('/v1beta/models/gpt-4o-mini:generateContent');
    expect(request?.body.toString()).toBe(question);
    expect(request?.headers['x-goog-api-key']).toBe('upstream-key-1');
    expect((await scene.relay.journal.used()).usage).toMatchObject({
      promptTokens: 6,
      completionTokens: 5,
    });
  });

  test('get a stream of the same protocol byte for byte', async () => {
    await put(24);
    const whole =
      line({ candidates: [candidate], usageMetadata: { promptTokenCount: 6 } }) + line(content);
    scene.answer = sse(whole.match(/[\s\S]{1,41}/g) ?? []);
    const reply = await scene.relay.send(`${path}:streamGenerateContent?alt=sse`, question, keyed);
    expect(reply.text).toBe(whole);
    expect(scene.upstream.requests[0]?.path).toMatch(/:streamGenerateContent\?alt=sse$/);
    expect(await scene.relay.journal.used()).toMatchObject({
      end: 'complete',
      usage: { promptTokens: 6, completionTokens: 5 },
    });
  });

  test('get answers from channels of OpenAI and Claude', async () => {
    await put(1);
    const reply = await scene.relay.send(`${path}:generateContent`, question, keyed);
    expect(JSON.parse(reply.text)).toMatchObject({
      candidates: [{ content: { parts: [{ text: 'Hi there' }] }, finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: 11, candidatesTokenCount: 7 },
    });
    scene.answer = sse([chunkEvent('Hi'), usageChunk(usageOf(11, 7)), doneEvent]);
    const events = await scene.relay.send(`${path}:streamGenerateContent?alt=sse`, question, keyed);
    expect(events.text).toMatch(/^data: \{.*"text":"Hi"/);
    const list = await scene.relay.send(`${path}:streamGenerateContent`, question, keyed);
    expect(JSON.parse(list.text)).toMatchObject([
      { candidates: [{ content: { parts: [{ text: 'Hi' }] } }] },
      { usageMetadata: { promptTokenCount: 11 } },
    ]);
  });

  test('get embeddings from a channel of OpenAI', async () => {
    await put(1);
    scene.answer = json({
      object: 'list',
      data: [{ index: 0, object: 'embedding', embedding: [0.5, 1] }],
      usage: { prompt_tokens: 2, total_tokens: 2 },
    });
    const reply = await scene.relay.send(
      '/v1beta/models/text-embedding-3-small:embedContent',
      JSON.stringify({ content: { parts: [{ text: 'Hi' }] } }),
      keyed,
    );
    expect(JSON.parse(reply.text)).toEqual({ embedding: { values: [0.5, 1] } });
    expect((await scene.relay.journal.used()).usage.promptTokens).toBe(2);
  });

  test('may give their key in the address, and get errors in their own shape', async () => {
    await put(24);
    scene.answer = json(content);
    const asked = await scene.relay.send(`${path}:generateContent?key=sk-${rawKey}`, question, {
      authorization: '',
    });
    expect(asked.status).toBe(200);
    expect(scene.upstream.requests[0]?.path).not.toContain(rawKey);
    const stranger = await scene.relay.send(`${path}:generateContent?key=x`, question, {
      authorization: '',
    });
    expect(JSON.parse(stranger.text).error).toMatchObject({ code: 401, status: 'UNAUTHENTICATED' });
    const empty = await scene.relay.send(`${path}:generateContent`, '{"contents":[]}', keyed);
    expect(JSON.parse(empty.text).error).toMatchObject({ code: 400, status: 'INVALID_ARGUMENT' });
  });
});
