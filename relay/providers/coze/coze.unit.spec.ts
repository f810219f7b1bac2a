import { describe, expect, test } from 'vitest';
import {
  aChat,
  aContext,
  answered,
  requestOf,
  sentJson,
  streamed,
} from '../../../tests/support/translation-play.ts';
import { coze } from './translate.ts';

const channel = { type: 49, key: 'pat', other: 'bot1' };
const streaming = () => aContext({ body: aChat({ stream: true }), channel });

describe('a chat for a Coze agent', () => {
  test('instructions go before the first words, the conversation stays whole', async () => {
    const messages = [
      { role: 'system', content: 'S' },
      { role: 'user', content: 'Hi' },
      {
        role: 'assistant',
        content: 'Wait',
        tool_calls: [{ id: '1', type: 'function', function: { name: 'f', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: '1', content: 'sun' },
    ];
    const sent = await sentJson(coze, aContext({ body: aChat({ messages }), channel }));
    expect(sent.additional_messages).toEqual([
      { role: 'user', content: 'S\nHi', content_type: 'text' },
      { role: 'assistant', type: 'answer', content: 'Wait', content_type: 'text' },
      {
        role: 'assistant',
        type: 'function_call',
        content: '{"name":"f","arguments":"{}"}',
        content_type: 'text',
      },
      { role: 'assistant', type: 'tool_response', content: 'sun', content_type: 'text' },
    ]);
  });

  test('pictures go up by address, others are uploaded first', async () => {
    const content = [
      { type: 'text', text: 'See' },
      { type: 'image_url', image_url: { url: 'https://e.example/1.png' } },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } },
    ];
    const body = aChat({ messages: [{ role: 'user', content }] });
    const context = aContext({ body, channel, answers: [{ code: 0, data: { id: 'file1' } }] });
    const sent = await sentJson(coze, context);
    expect(sent.additional_messages).toEqual([
      {
        role: 'user',
        content_type: 'object_string',
        content: JSON.stringify([
          { type: 'text', text: 'See' },
          { type: 'image', file_url: 'https://e.example/1.png' },
          { type: 'image', file_id: 'file1' },
        ]),
      },
    ]);
    expect(context.io.sent[0]?.url).toBe('https://api.coze.cn/v1/files/upload');
  });

  test('the model names the agent where the channel names none', async () => {
    const body = aChat({ model: 'bot-77', conversation_id: 'c1', custom_variables: { a: '1' } });
    const request = await requestOf(coze, aContext({ body, channel: { ...channel, other: '' } }));
    expect(request.url).toBe('https://api.coze.cn/v3/chat?conversation_id=c1');
    expect(JSON.parse(String(request.body))).toMatchObject({
      bot_id: '77',
      custom_variables: { a: '1' },
    });
  });

  test.each(['failed', 'canceled', 'requires_action'])(
    'a conversation that ends as %s is an error',
    async (status) => {
      const last_error = { code: 4_028, msg: 'no quota' };
      const answers = [{ code: 0, data: { status, last_error } }];
      const context = aContext({ body: aChat(), channel, answers });
      const produced = {
        code: 0,
        data: { id: 'ch', conversation_id: 'cv', status: 'in_progress' },
      };
      expect(await answered(coze, context, produced)).toMatchObject({
        status: 429,
        message: 'no quota',
      });
      expect(context.io.pauses).toEqual([1_000]);
    },
  );

  test('an agent that never ends is given up', async () => {
    const running = { code: 0, data: { status: 'in_progress' } };
    const context = aContext({ body: aChat(), channel, answers: Array(700).fill(running) });
    const produced = { code: 0, data: { id: 'ch', conversation_id: 'cv', status: 'created' } };
    expect(await answered(coze, context, produced)).toMatchObject({ status: 502 });
    expect(context.io.pauses).toHaveLength(600);
  });

  test('reasoning is separated from the answer', () => {
    const produced = streamed(coze, streaming(), [
      'event:conversation.message.delta',
      { type: 'answer', content: '', reasoning_content: 'Hm' },
      'event:conversation.message.delta',
      { type: 'answer', content: 'Hi' },
      'event:conversation.message.delta',
      { type: 'tool_response', content: 'hidden' },
      'event:conversation.chat.completed',
      { usage: { input_count: 1, output_count: 2, token_count: 3 } },
    ]);
    expect(produced.folded.choices[0]).toMatchObject({
      texts: { reasoning_content: 'Hm', content: 'Hi' },
      finish: 'stop',
    });
    expect(produced.usage).toEqual({ promptTokens: 1, completionTokens: 2 });
  });

  test.each([
    ['conversation.chat.failed', { last_error: { code: 4_100, msg: 'no' } }, 401],
    ['conversation.chat.requires_action', { status: 'requires_action' }, 502],
    ['error', { code: 4_013, msg: 'slow down' }, 429],
  ])('the event %s is an error', (event, data, status) => {
    expect(streamed(coze, streaming(), [`event:${event}`, data]).error).toMatchObject({ status });
  });

  test('a refusal in place of a stream is an error', () => {
    const produced = streamed(coze, streaming(), ['{"code":4101,"msg":"no permission"}']);
    expect(produced.chunks).toEqual([]);
    expect(produced.error).toMatchObject({ status: 401, code: 4_101 });
  });
});
