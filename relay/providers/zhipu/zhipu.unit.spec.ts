import { describe, expect, test } from 'vitest';
import {
  aChat,
  aContext,
  answered,
  requestOf,
  sentJson,
  streamed,
} from '../../../tests/support/translation-play.ts';
import { zhipuV4 } from '../zhipu-v4/translate.ts';
import { zhipu } from './translate.ts';

const channel = { type: 26, key: 'id.secret' };
const legacy = { type: 16, key: 'id.secret' };
const tool = (name: string): object => ({ type: 'function', function: { name } });

describe('a chat for GLM', () => {
  test('a key without a dot is sent as it is', async () => {
    const context = aContext({ body: aChat(), channel: { type: 26, key: 'plain' } });
    expect((await requestOf(zhipuV4, context)).headers.authorization).toBe('Bearer plain');
  });

  test.each([
    ['auto', ['f', 'g'], 'auto'],
    ['required', ['f', 'g'], 'auto'],
    [{ type: 'function', function: { name: 'g' } }, ['g'], 'auto'],
    ['none', undefined, undefined],
  ])(
    'the tool choice %o is expressed by the list of callable tools',
    async (choice, names, shown) => {
      const body = aChat({ tools: [tool('f'), tool('g')], tool_choice: choice });
      const sent = await sentJson(zhipuV4, aContext({ body, channel }));
      expect(sent.tools).toEqual(names?.map(tool));
      expect(sent.tool_choice).toBe(shown);
    },
  );

  test('temperature 0 means no sampling', async () => {
    const sent = await sentJson(zhipuV4, aContext({ body: aChat({ temperature: 0 }), channel }));
    expect(sent.do_sample).toBe(false);
    expect(sent).not.toHaveProperty('temperature');
  });

  test('members that only this provider has are sent, the limit under the older name', async () => {
    const body = aChat({
      thinking: { type: 'disabled' },
      do_sample: true,
      request_id: 'r',
      response_format: { type: 'json_object' },
      user: 'u1',
      max_completion_tokens: 9,
    });
    expect(await sentJson(zhipuV4, aContext({ body, channel }))).toEqual({
      ...aChat(),
      thinking: { type: 'disabled' },
      do_sample: true,
      request_id: 'r',
      response_format: { type: 'json_object' },
      user_id: 'u1',
      max_tokens: 9,
    });
  });

  test('pictures at an address stay at their address', async () => {
    const content = [{ type: 'image_url', image_url: { url: 'https://e.example/1.png' } }];
    const body = aChat({ messages: [{ role: 'user', content }] });
    const sent = await sentJson(zhipuV4, aContext({ body, channel }));
    expect(sent.messages).toEqual([{ role: 'user', content }]);
  });

  test('an answer that the network broke is an error', async () => {
    const choice = { index: 0, message: { content: 'Hel' }, finish_reason: 'network_error' };
    const produced = await answered(zhipuV4, aContext({ body: aChat(), channel }), {
      choices: [choice],
    });
    expect(produced).toMatchObject({ status: 502 });
  });

  test('search results stay separate from the answer', async () => {
    const produced = {
      choices: [{ index: 0, message: { content: 'x' }, finish_reason: 'stop' }],
      web_search: [{ link: 'https://e.example' }],
    };
    const reply = await answered(zhipuV4, aContext({ body: aChat(), channel }), produced);
    expect(reply).toMatchObject({ body: { web_search: [{ link: 'https://e.example' }] } });
  });
});

describe('the third interface of Zhipu', () => {
  const stream = (lines: readonly string[]) =>
    streamed(zhipu, aContext({ body: aChat({ stream: true }), channel: legacy }), lines);

  test("a blank before a text and line breaks in it are the model's", () => {
    const produced = stream([
      'event:add',
      'id:t',
      'data: Hel',
      'data:lo',
      '',
      'event:finish',
      'id:t',
      'data:',
      'meta:{"usage":{"prompt_tokens":1,"completion_tokens":2}}',
      '',
    ]);
    expect(produced.folded.choices[0]).toMatchObject({
      texts: { content: ' Hel\nlo' },
      finish: 'stop',
    });
    expect(produced.usage).toEqual({ promptTokens: 1, completionTokens: 2 });
  });

  test.each(['error', 'interrupted'])('the event %s ends a stream with an error', (event) => {
    const produced = stream(['event:add', 'data:Hel', '', `event:${event}`, 'data:gone', '']);
    expect(produced.folded.choices[0]?.texts.content).toBe('Hel');
    expect(produced.error).toMatchObject({ status: 502, message: 'gone', type: 'zhipu_error' });
  });

  test('an error of plain JSON has its status', () => {
    const produced = stream(['{"success":false,"code":1302,"msg":"busy"}']);
    expect(produced.error).toMatchObject({ status: 429, code: 1302, message: 'busy' });
  });

  test.each([
    [1_002, 401],
    [1_113, 429],
    [1_112, 401],
    [1_214, 400],
    [1_301, 400],
    [1_303, 429],
    [404, 404],
    [9_999, 500],
  ])('the code %i has the status %i', async (code, status) => {
    const produced = { success: false, code, msg: 'no' };
    const context = aContext({ body: aChat(), channel: legacy });
    expect(await answered(zhipu, context, produced)).toMatchObject({ status, code });
  });

  test('quotes around an answer are not part of it, escapes are resolved', async () => {
    const produced = { success: true, data: { choices: [{ content: '" a\\n\\"b\\""' }] } };
    const context = aContext({ body: aChat(), channel: legacy });
    expect(await answered(zhipu, context, produced)).toMatchObject({
      body: { choices: [{ message: { content: ' a\n"b"' } }] },
    });
  });
});
