import { describe, expect, test } from 'vitest';
import type { ChannelTestReply } from '../../domain/relay/messages.ts';
import { chatBody, json } from '../support/relay/relay-harness.ts';
import { oneChannel } from '../support/relay/scene.ts';

const scene = oneChannel();

const messagesAnswer = json({
  type: 'message',
  content: [{ type: 'text', text: 'Hi' }],
  usage: { input_tokens: 1, output_tokens: 1 },
});
const contentsAnswer = json({
  candidates: [{ content: { parts: [{ text: 'Hi' }] } }],
  usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1 },
});
const operations = (...list: object[]) => JSON.stringify({ operations: list });

describe('a place inside a request', () => {
  test.each([
    [{ mode: 'set', path: 'metadata.team', value: 'x' }, { metadata: { a: 1, team: 'x' } }],
    [{ mode: 'set', path: 'extra.deep.er', value: [1] }, { extra: { deep: { er: [1] } } }],
    [{ mode: 'set', path: 'stop.1', value: 'z' }, { stop: ['a', 'z'] }],
    [{ mode: 'set', path: 'stop.-1', value: 'z' }, { stop: ['a', 'z'] }],
    [{ mode: 'set', path: 'stop.9', value: 'z' }, { stop: ['a', 'b'] }],
    [{ mode: 'set', path: 'metadata.a', value: 2, keep_origin: true }, { metadata: { a: 1 } }],
    [{ mode: 'set', path: 'top_k', value: 2, keep_origin: true }, { top_k: 2 }],
    [{ mode: 'set', path: 'a\\.b', value: 2 }, { 'a.b': 2 }],
    [{ mode: 'delete', path: 'metadata.a' }, { metadata: {} }],
    [{ mode: 'delete', path: 'stop.0' }, { stop: ['b'] }],
    [{ mode: 'delete', path: 'temperature' }, { temperature: undefined }],
    [{ mode: 'delete', path: 'nothing.here' }, { nothing: undefined }],
    [{ mode: 'append', path: 'stop', value: 'c' }, { stop: ['a', 'b', 'c'] }],
    [{ mode: 'prepend', path: 'stop', value: ['y', 'z'] }, { stop: ['y', 'z', 'a', 'b'] }],
    [{ mode: 'append', path: 'user', value: '-1' }, { user: 'me-1' }],
    [
      { mode: 'move', from: 'metadata.a', to: 'extra.b' },
      { metadata: {}, extra: { b: 1 } },
    ],
    [{ mode: 'set', path: 'stream', value: true }, { stream: undefined }],
    [
      { mode: 'set', path: 'stream_options.include_usage', value: 1 },
      { stream_options: undefined },
    ],
  ])('is changed by %j', async (operation, changed) => {
    await scene.put({ paramOverride: operations(operation) });
    const own = { stop: ['a', 'b'], temperature: 0.5, metadata: { a: 1 }, user: 'me' };
    expect((await scene.chat(own)).status).toBe(200);
    expect(scene.sent()).toEqual(
      JSON.parse(JSON.stringify({ ...JSON.parse(chatBody(own)), ...changed })),
    );
  });

  test('is changed after whole parameters, and every other byte stays', async () => {
    await scene.put({
      paramOverride: JSON.stringify({
        metadata: { a: 1 },
        operations: [{ mode: 'set', path: 'metadata.b', value: 2 }],
      }),
    });
    const body = '{"model":"gpt-4o-mini" ,"messages":[{"role":"user","content":"x"}],"seed":1e0}';
    await scene.relay.send('/v1/chat/completions', body);
    expect(scene.upstream.requests[0]?.body.toString()).toBe(
      '{"model":"gpt-4o-mini" ,"messages":[{"role":"user","content":"x"}],"seed":1e0,"metadata":{"a":1,"b":2}}',
    );
  });

  test('is changed for callers of Messages and of generateContent', async () => {
    await scene.put({
      type: 14,
      paramOverride: operations({ mode: 'set', path: 'metadata.user_id', value: 'u' }),
    });
    scene.answer = messagesAnswer;
    await scene.relay.send('/v1/messages', chatBody({ max_tokens: 9 }));
    expect(scene.sent()).toMatchObject({ metadata: { user_id: 'u' }, max_tokens: 9 });
    await scene.chat({ max_tokens: 9 });
    expect(scene.sent()).toMatchObject({ metadata: { user_id: 'u' }, max_tokens: 9 });
    const edit = { mode: 'delete', path: 'generationConfig.topK' };
    await scene.put({ type: 24, paramOverride: operations(edit) });
    scene.answer = contentsAnswer;
    await scene.relay.send(
      '/v1beta/models/gpt-4o-mini:generateContent',
      '{"contents":[{"parts":[{"text":"x"}]}],"generationConfig":{"topK":1,"topP":0.5}}',
    );
    expect(scene.sent().generationConfig).toEqual({ topP: 0.5 });
  });

  test('of a parameter that is itself called operations stays a parameter', async () => {
    await scene.put({ paramOverride: '{"operations":["a"]}' });
    await scene.chat();
    expect(scene.sent().operations).toEqual(['a']);
  });

  test.each([
    { mode: 'jump', path: 'a' },
    { mode: 'set', path: 'a' },
    { mode: 'set', path: 'a..b', value: 1 },
    { mode: 'set', path: 'a', value: 1, conditions: [] },
    { mode: 'move', from: 'a' },
  ])('that cannot be read is an error of the channel: %j', async (operation) => {
    await scene.put({ paramOverride: operations(operation) });
    const { status, text } = await scene.chat();
    expect([status, JSON.parse(text).error.code]).toEqual([500, 'param_override_unmarshal_failed']);
    expect(scene.upstream.requests).toEqual([]);
  });
});

describe('a header of a channel', () => {
  const put = (headers: object, more: object = {}) =>
    scene.put({ setting: JSON.stringify({ header_override: headers, ...more }) });

  test('overrides every other, with the key where it is named, or is removed', async () => {
    await put({ 'X-Team': 'a b', 'User-Agent': 'gate/1', 'x-key': 'k {api_key}', Accept: null });
    expect(
      (await scene.relay.send('/v1/chat/completions', chatBody(), { 'user-agent': 'me' })).status,
    ).toBe(200);
    const sent = scene.upstream.requests[0]?.headers ?? {};
    expect(sent).toMatchObject({
      'x-team': 'a b',
      'user-agent': 'gate/1',
      'x-key': 'k upstream-key-1',
      authorization: 'Bearer upstream-key-1',
      'content-type': 'application/json',
    });
    expect(sent.accept).toBeUndefined();
  });

  test('reaches providers of another protocol, and tests of the channel', async () => {
    const setting = JSON.stringify({ header_override: { 'anthropic-beta': 'own-1' } });
    await scene.put({ type: 14, setting });
    scene.answer = messagesAnswer;
    await scene.chat();
    await scene.relay.send('/v1/messages', chatBody({ max_tokens: 9 }), { 'anthropic-beta': 'b' });
    await scene.relay.bus.request<object, ChannelTestReply>('relay.test-channel', {
      channelId: 1,
      model: 'gpt-4o-mini',
    });
    const betas = scene.upstream.requests.map(({ headers }) => headers['anthropic-beta']);
    expect(betas).toEqual(['own-1', 'own-1', 'own-1']);
  });

  test('carries credentials only where that is allowed', async () => {
    await put({ Authorization: 'Basic eDp5' });
    await scene.chat();
    await put({ Authorization: 'Basic eDp5' }, { header_override_credentials: true });
    await scene.chat();
    const sent = scene.upstream.requests.map(({ headers }) => headers.authorization);
    expect(sent).toEqual(['Bearer upstream-key-1', 'Basic eDp5']);
  });
});
