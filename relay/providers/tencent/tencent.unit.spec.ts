import { describe, expect, test } from 'vitest';
import {
  aChat,
  aContext,
  answered,
  requestOf,
  sentJson,
  streamed,
} from '../../../tests/support/translation-play.ts';
import { tencent } from './translate.ts';

const channel = { type: 23, key: '1250000000|id|key' };

describe('a chat for Hunyuan', () => {
  test('tools, calls and their results go up, schemas as text', async () => {
    const body = aChat({
      stop: ['A', 'B'],
      seed: 0,
      tools: [{ type: 'function', function: { name: 'f', parameters: { type: 'object' } } }],
      tool_choice: { type: 'function', function: { name: 'f' } },
      messages: [
        { role: 'user', content: 'Hi' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: '1', type: 'function', function: { name: 'f', arguments: '{}' } },
            { id: '2', type: 'function', function: { name: 'f', arguments: '{"b":2}' } },
          ],
        },
        { role: 'tool', tool_call_id: '1', content: 'one' },
        { role: 'tool', tool_call_id: '2', content: [{ type: 'text', text: 'two' }] },
        { role: 'system', content: 'S' },
      ],
    });
    expect(await sentJson(tencent, aContext({ body, channel }))).toEqual({
      Model: 'm',
      Stream: false,
      Seed: 0,
      Stop: ['A', 'B'],
      Tools: [{ Type: 'function', Function: { Name: 'f', Parameters: '{"type":"object"}' } }],
      ToolChoice: 'custom',
      CustomTool: { Type: 'function', Function: { Name: 'f' } },
      Messages: [
        { Role: 'system', Content: 'S' },
        { Role: 'user', Content: 'Hi' },
        {
          Role: 'assistant',
          Content: '',
          ToolCalls: [
            { Id: '1', Type: 'function', Function: { Name: 'f', Arguments: '{}' } },
            { Id: '2', Type: 'function', Function: { Name: 'f', Arguments: '{"b":2}' } },
          ],
        },
        { Role: 'tool', ToolCallId: '1', Content: 'one' },
        { Role: 'tool', ToolCallId: '2', Content: 'two' },
      ],
    });
  });

  test('pictures are sent with the text', async () => {
    const content = [
      { type: 'text', text: 'See' },
      { type: 'image_url', image_url: { url: 'https://e.example/1.png' } },
    ];
    const body = aChat({ messages: [{ role: 'user', content }] });
    expect((await sentJson(tencent, aContext({ body, channel }))).Messages).toEqual([
      {
        Role: 'user',
        Contents: [
          { Type: 'text', Text: 'See' },
          { Type: 'image_url', ImageUrl: { Url: 'https://e.example/1.png' } },
        ],
      },
    ]);
  });

  test('the signature covers the host that is called and the overrides of the channel', async () => {
    const own = aContext({ body: aChat(), channel });
    const overridden = {
      ...own,
      channel: { ...own.channel, paramOverride: new Map([['TopP', '0.1']]) },
    };
    const elsewhere = aContext({
      body: aChat(),
      channel: { ...channel, base_url: 'https://proxy.example.com:8443' },
    });
    const signatures = await Promise.all(
      [own, overridden, elsewhere].map(
        async (context) => (await requestOf(tencent, context)).headers.authorization,
      ),
    );
    expect(new Set(signatures).size).toBe(3);
  });

  test("a key without bars selects the endpoint for OpenAI's protocol", async () => {
    const context = aContext({ body: aChat(), channel: { type: 23, key: 'sk-plain' } });
    expect(await requestOf(tencent, context)).toMatchObject({
      url: 'https://api.hunyuan.cloud.tencent.com/v1/chat/completions',
      headers: { authorization: 'Bearer sk-plain' },
    });
  });

  test('pieces of tool calls keep their places in a stream', () => {
    const piece = (calls: object[], finish = ''): object => ({
      Id: 'id',
      Created: 1,
      Choices: [{ Index: 0, Delta: { Content: '', ToolCalls: calls }, FinishReason: finish }],
      Usage: { PromptTokens: 3, CompletionTokens: 5, TotalTokens: 8 },
    });
    const stream = streamed(tencent, aContext({ body: aChat({ stream: true }), channel }), [
      piece([{ Id: 'a', Index: 0, Function: { Name: 'f', Arguments: '{"x"' } }]),
      piece([{ Id: 'a', Index: 0, Function: { Name: '', Arguments: ':1}' } }]),
      piece([{ Id: 'b', Index: 1, Function: { Name: 'g', Arguments: '{}' } }]),
      piece([], 'tool_calls'),
    ]);
    expect(stream.folded.choices[0]).toMatchObject({
      calls: {
        0: { id: 'a', name: 'f', arguments: '{"x":1}' },
        1: { id: 'b', name: 'g', arguments: '{}' },
      },
      finish: 'tool_calls',
    });
    expect(stream.usage).toEqual({ promptTokens: 3, completionTokens: 5 });
  });

  test('reasoning, tool calls and a filtered end are returned', async () => {
    const context = aContext({ body: aChat(), channel });
    const reply = await answered(tencent, context, {
      Response: {
        Choices: [
          {
            Index: 0,
            Message: {
              Content: '',
              ReasoningContent: 'Hm',
              ToolCalls: [{ Id: 'a', Function: { Name: 'f', Arguments: '{}' } }],
            },
            FinishReason: 'sensitive',
          },
        ],
      },
    });
    expect(reply).toMatchObject({
      usage: null,
      body: {
        choices: [
          {
            message: {
              reasoning_content: 'Hm',
              tool_calls: [{ id: 'a', function: { name: 'f', arguments: '{}' } }],
            },
            finish_reason: 'content_filter',
          },
        ],
      },
    });
  });

  test('an error in a stream ends it', () => {
    const stream = streamed(tencent, aContext({ body: aChat({ stream: true }), channel }), [
      { ErrorMsg: { Msg: 'busy', Code: 'LimitExceeded.Tokens' } },
    ]);
    expect(stream.error).toMatchObject({ status: 429, type: 'tencent_error', message: 'busy' });
  });

  test.each([
    ['AuthFailure.SecretIdNotFound', 401],
    ['UnauthorizedOperation', 403],
    ['RequestLimitExceeded', 429],
    ['InvalidParameterValue.Model', 400],
    ['InternalError', 500],
  ])('the code %s has the status %i', async (Code, status) => {
    const produced = { Response: { Error: { Code, Message: 'no' } } };
    expect(await answered(tencent, aContext({ body: aChat(), channel }), produced)).toMatchObject({
      status,
      code: Code,
    });
  });

  test('several texts are embedded in one call, in order', async () => {
    const endpoint = '/v1/embeddings';
    const context = aContext({ body: { model: 'm', input: ['a', 'b'] }, endpoint, channel });
    const request = await requestOf(tencent, context);
    expect(request.headers['x-tc-action']).toBe('GetEmbedding');
    expect(JSON.parse(String(request.body))).toEqual({ InputList: ['a', 'b'] });
    const reply = await answered(tencent, context, {
      Response: {
        Data: [
          { Index: 1, Embedding: [2] },
          { Index: 0, Embedding: [1] },
        ],
        Usage: { PromptTokens: 2, TotalTokens: 2 },
      },
    });
    expect(reply).toMatchObject({
      body: { data: [{ embedding: [1] }, { embedding: [2] }], usage: { prompt_tokens: 2 } },
      usage: { promptTokens: 2 },
    });
  });
});
