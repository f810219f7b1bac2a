import { describe, expect, test } from 'vitest';
import {
  aChat,
  aContext,
  answered,
  sentJson,
  streamed,
} from '../../../tests/support/translation-play.ts';
import type { JsonObject } from '../../protocol/canonical.ts';
import { baidu } from './translate.ts';

const channel = { type: 15, key: 'ak|sk' };
const sent = (body: JsonObject): Promise<JsonObject> =>
  sentJson(baidu, aContext({ body, channel, cachedValue: 'token' }));

const tool = (name: string): JsonObject => ({ type: 'function', function: { name, strict: true } });
const call = (id: string, name: string): JsonObject => ({
  id,
  type: 'function',
  function: { name, arguments: '{"a":1}' },
});

describe('a chat for Baidu', () => {
  test('parallel tool calls become calls and results in turn', async () => {
    const messages = [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: null, tool_calls: [call('1', 'f'), call('2', 'g')] },
      { role: 'tool', tool_call_id: '2', content: 'second' },
      { role: 'tool', tool_call_id: '1', content: 'first' },
    ];
    expect((await sent(aChat({ messages }))).messages).toEqual([
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: '', function_call: { name: 'f', arguments: '{"a":1}' } },
      { role: 'function', name: 'f', content: 'first' },
      { role: 'assistant', content: '', function_call: { name: 'g', arguments: '{"a":1}' } },
      { role: 'function', name: 'g', content: 'second' },
    ]);
  });

  test('tools, the demand for one, stop words and the format go up', async () => {
    const body = aChat({
      tools: [tool('f'), tool('g')],
      tool_choice: { type: 'function', function: { name: 'g' } },
      stop: 'END',
      response_format: { type: 'json_object' },
    });
    expect(await sent(body)).toMatchObject({
      functions: [{ name: 'f' }, { name: 'g' }],
      tool_choice: { type: 'function', function: { name: 'g' } },
      stop: ['END'],
      response_format: 'json_object',
    });
  });

  test('tools that must not be called are not named', async () => {
    expect(await sent(aChat({ tools: [tool('f')], tool_choice: 'none' }))).not.toHaveProperty(
      'functions',
    );
  });

  test('neighbours of one role are merged, and the user begins', async () => {
    const messages = [
      { role: 'assistant', content: 'A' },
      { role: 'user', content: 'B' },
      { role: 'user', content: 'C' },
    ];
    expect((await sent(aChat({ messages }))).messages).toEqual([
      { role: 'user', content: '...' },
      { role: 'assistant', content: 'A' },
      { role: 'user', content: 'B\nC' },
    ]);
  });

  test('temperature 0 becomes the least that is taken', async () => {
    expect(await sent(aChat({ temperature: 0 }))).toMatchObject({ temperature: 0.01 });
  });

  test.each([
    [{ is_truncated: true }, 'length'],
    [{ finish_reason: 'length' }, 'length'],
    [{ finish_reason: 'content_filter' }, 'content_filter'],
    [{ need_clear_history: true }, 'content_filter'],
    [{ finish_reason: 'normal' }, 'stop'],
  ])('an answer with %o ends for the reason %s', async (members, reason) => {
    const context = aContext({ body: aChat(), channel });
    const reply = await answered(baidu, context, { result: 'x', ...members });
    expect(reply).toMatchObject({ body: { choices: [{ finish_reason: reason }] } });
  });

  test('a function call becomes a tool call, streamed or not', async () => {
    const produced = { result: '', function_call: { name: 'f', arguments: '{}' }, is_end: true };
    const reply = await answered(baidu, aContext({ body: aChat(), channel }), produced);
    const made = { type: 'function', function: { name: 'f', arguments: '{}' } };
    expect(reply).toMatchObject({
      body: {
        choices: [{ message: { content: null, tool_calls: [made] }, finish_reason: 'tool_calls' }],
      },
    });
    const stream = streamed(baidu, aContext({ body: aChat({ stream: true }), channel }), [
      produced,
    ]);
    expect(stream.folded.choices[0]).toMatchObject({
      calls: { 0: { name: 'f', arguments: '{}' } },
      finish: 'tool_calls',
    });
  });
});

describe('the access token of Baidu', () => {
  test('is discarded and fetched again when it is no longer accepted', async () => {
    const answers = [
      { access_token: 'old', expires_in: 9_999 },
      { result: 'Hello', usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 } },
    ];
    const forgotten: string[] = [];
    const context = aContext({ body: aChat(), channel, answers });
    await baidu.request(context);
    const io = { ...context.io, forget: (key: string) => void forgotten.push(key) };
    const stale = { error_code: 111, error_msg: 'Access token expired' };
    const reply = await answered(baidu, { ...context, io }, stale);
    expect(forgotten).toHaveLength(1);
    expect(reply).toMatchObject({ body: { choices: [{ message: { content: 'Hello' } }] } });
  });

  test('is not shared by two keys', async () => {
    const kept: string[] = [];
    for (const key of ['a|b', 'a|c']) {
      const context = aContext({ body: aChat(), channel: { type: 15, key } });
      const io = {
        ...context.io,
        cached: async (name: string) => {
          kept.push(name);
          return 'token';
        },
      };
      await baidu.request({ ...context, io });
    }
    expect(new Set(kept).size).toBe(2);
    expect(kept.join()).not.toContain('a|');
  });

  test('a wrong secret is an authentication error without the address', async () => {
    const answers = [
      { error: 'invalid_client', error_description: 'Client authentication failed' },
    ];
    const made = await baidu.request(aContext({ body: aChat(), channel, answers }));
    expect(made).toEqual({
      status: 401,
      message: 'Client authentication failed',
      type: 'baidu_error',
      code: 'invalid_client',
    });
  });

  test('an error in the middle of a stream follows the text before it', () => {
    const stream = streamed(baidu, aContext({ body: aChat({ stream: true }), channel }), [
      { result: 'Hel', is_end: false },
      '{"error_code":336501,"error_msg":"Rate limit"}',
    ]);
    expect(stream.folded.choices[0]?.texts.content).toBe('Hel');
    expect(stream.error).toMatchObject({ status: 429, code: 336501, type: 'baidu_error' });
  });
});
