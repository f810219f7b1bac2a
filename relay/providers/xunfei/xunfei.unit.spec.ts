import { describe, expect, test } from 'vitest';
import {
  aChat,
  aContext,
  answered,
  requestOf,
  sentJson,
  streamed,
} from '../../../tests/support/translation-play.ts';
import { xunfei } from './translate.ts';

const channel = { type: 18, key: 'app|secret|key', other: 'v3.5' };

const frame = (text: object, status = 1, code = 0, usage?: object): string =>
  JSON.stringify({
    header: { code, message: 'said', sid: 'sid1', status },
    payload: { choices: { status, seq: 0, text: [text] }, usage },
  });

describe('a chat for Spark', () => {
  test.each([
    ['SparkDesk', '', '/v1.1/chat', 'lite'],
    ['SparkDesk-v2.1', 'v3.5', '/v2.1/chat', 'generalv2'],
    ['Spark-Max-32K', '', '/chat/max-32k', 'max-32k'],
    ['Spark-4.0-Ultra', '', '/v4.0/chat', '4.0Ultra'],
    ['SparkDesk-v9.9', '', '/v9.9/chat', 'generalv9.9'],
  ])('model %s of a channel with %s uses the right version', async (model, other, path, domain) => {
    const context = aContext({ body: aChat({ model }), channel: { ...channel, other } });
    const request = await requestOf(xunfei, context);
    expect(new URL(request.url).pathname).toBe(path);
    expect(JSON.parse(String(request.body))).toMatchObject({ parameter: { chat: { domain } } });
  });

  test('the version that the caller requests takes precedence', async () => {
    const endpoint = '/v1/chat/completions?api-version=v4.0';
    const body = aChat({ model: 'SparkDesk-v2.1' });
    const request = await requestOf(xunfei, aContext({ body, endpoint, channel }));
    expect(new URL(request.url).pathname).toBe('/v4.0/chat');
  });

  test('a version cannot leave its place in the path', async () => {
    const endpoint = '/v1/chat/completions?api-version=../../x';
    const request = await requestOf(xunfei, aContext({ body: aChat(), endpoint, channel }));
    expect(new URL(request.url).pathname).toBe('/v3.5/chat');
  });

  test('tools, the user and limits go up in their places', async () => {
    const body = aChat({
      user: 'u1',
      top_k: 9,
      temperature: 0,
      max_completion_tokens: 7,
      tools: [{ type: 'function', function: { name: 'f', parameters: {} } }],
    });
    expect(await sentJson(xunfei, aContext({ body, channel }))).toMatchObject({
      header: { app_id: 'app', uid: 'u1' },
      parameter: { chat: { top_k: 6, temperature: 0.01, max_tokens: 7 } },
      payload: { functions: { text: [{ name: 'f', parameters: {} }] } },
    });
  });

  test('earlier calls and their results are written into the conversation', async () => {
    const messages = [
      { role: 'user', content: 'Hi' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: '1', type: 'function', function: { name: 'f', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: '1', content: 'sun' },
    ];
    const sent = await sentJson(xunfei, aContext({ body: aChat({ messages }), channel }));
    expect(sent.payload).toEqual({
      message: {
        text: [
          { role: 'user', content: 'Hi' },
          { role: 'assistant', content: '{"name":"f","arguments":"{}"}' },
          { role: 'user', content: 'f: sun' },
        ],
      },
    });
  });

  test('a function call becomes a tool call, streamed or not', async () => {
    const last = frame({ content: '', function_call: { name: 'f', arguments: '{}' } }, 2);
    const reply = await answered(xunfei, aContext({ body: aChat(), channel }), last);
    expect(reply).toMatchObject({
      body: {
        choices: [{ message: { content: null, tool_calls: [{}] }, finish_reason: 'tool_calls' }],
      },
    });
    const stream = streamed(xunfei, aContext({ body: aChat({ stream: true }), channel }), [last]);
    expect(stream.folded.choices[0]).toMatchObject({
      calls: { 0: { name: 'f', arguments: '{}' } },
      finish: 'tool_calls',
    });
  });

  test('an answer that is withdrawn in the middle ends as filtered', () => {
    const stream = streamed(xunfei, aContext({ body: aChat({ stream: true }), channel }), [
      frame({ content: 'Hel', reasoning_content: 'Hm' }, 0),
      frame({ content: '' }, 2, 10_014),
    ]);
    expect(stream.error).toBeNull();
    expect(stream.folded.choices[0]).toMatchObject({
      texts: { content: 'Hel', reasoning_content: 'Hm' },
      finish: 'content_filter',
    });
  });

  test.each([
    [10_005, 400],
    [10_007, 429],
    [10_013, 400],
    [10_907, 400],
    [11_202, 429],
    [10_110, 500],
  ])('the code %i has the status %i', async (code, status) => {
    const produced = frame({ content: '' }, 2, code);
    expect(await answered(xunfei, aContext({ body: aChat(), channel }), produced)).toMatchObject({
      status,
      code,
      type: 'xunfei_error',
    });
  });

  test('frames without a last one are an answer that was cut off', async () => {
    const context = aContext({ body: aChat(), channel });
    expect(await answered(xunfei, context, frame({ content: 'Hel' }, 1))).toMatchObject({
      status: 502,
      code: 'stream_interrupted',
    });
  });

  test('a key without bars is a password for HTTP', async () => {
    const context = aContext({
      body: aChat({ model: 'lite' }),
      channel: { type: 18, key: 'password' },
    });
    expect(await requestOf(xunfei, context)).toMatchObject({
      url: 'https://spark-api-open.xf-yun.com/v1/chat/completions',
      headers: { authorization: 'Bearer password' },
    });
  });
});
