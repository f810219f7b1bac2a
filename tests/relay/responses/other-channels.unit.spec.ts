import type OpenAI from 'openai';
import { beforeEach, describe, expect, test } from 'vitest';
import { json, sse } from '../../support/relay/relay-harness.ts';
import { data, lookUp, model, responsesScene } from '../../support/relay/responses-scene.ts';

const scene = responsesScene();

describe('a channel of Gemini', () => {
  const part = { functionCall: { name: 'look_up', args: { city: 'Paris' } } };
  const signed = { ...part, thoughtSignature: 'Z29vZ2xl' };
  const usageMetadata = {
    promptTokenCount: 12,
    candidatesTokenCount: 4,
    thoughtsTokenCount: 3,
    totalTokenCount: 19,
  };
  const content = (parts: readonly object[]): object => ({
    candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP', index: 0 }],
    usageMetadata,
    modelVersion: 'gemini-x',
  });
  beforeEach(() => scene.put(24));

  test.each([false, true])('gets its signatures back, streamed: %s', async (isStream) => {
    const first = content([{ text: 'Hm', thought: true }, signed, part]);
    scene.answer = isStream ? sse([data(first)]) : json(first);
    const asked = { model, tools: [lookUp], input: 'Where?' };
    const response = isStream
      ? await scene.client.responses.stream(asked).finalResponse()
      : await scene.client.responses.create(asked);
    expect(response.usage).toMatchObject({
      output_tokens: 7,
      output_tokens_details: { reasoning_tokens: 3 },
    });
    const calls = response.output.filter(({ type }) => type === 'function_call');
    expect(calls).toHaveLength(2);
    scene.answer = json(content([{ text: 'In France' }]));
    const results = calls.map((call) => ({
      type: 'function_call_output' as const,
      call_id: call.type === 'function_call' ? call.call_id : '',
      output: '{"country":"France"}',
    }));
    const second = await scene.client.responses.create({
      ...asked,
      input: [
        { role: 'user', content: 'Where?' },
        ...(response.output as OpenAI.Responses.ResponseInput),
        ...results,
      ],
    });
    expect(second.output_text).toBe('In France');
    expect(scene.sent().contents).toEqual([
      { role: 'user', parts: [{ text: 'Where?' }] },
      { role: 'model', parts: [signed, part] },
      {
        role: 'user',
        parts: [
          { functionResponse: { name: 'look_up', response: { country: 'France' } } },
          { functionResponse: { name: 'look_up', response: { country: 'France' } } },
        ],
      },
    ]);
  });
});

describe('channels of other chats', () => {
  const chat = (message: object, finish = 'stop'): object => ({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: finish }],
    usage: { prompt_tokens: 12, completion_tokens: 4, total_tokens: 16 },
  });

  // Ali, Ollama, Moonshot, Zhipu, VolcEngine, SiliconFlow, Mistral, DeepSeek
  test.each([17, 4, 25, 26, 45, 40, 42, 43])('type %i answers', async (type) => {
    await scene.put(type);
    scene.answer = json(chat({ content: 'Hello' }));
    const response = await scene.client.responses.create({ model, input: 'Hi' });
    expect(response.output_text).toBe('Hello');
    expect(scene.sent().messages).toEqual([{ role: 'user', content: 'Hi' }]);
    expect(scene.upstream.requests[0]?.path).toContain('chat');
  });

  test('a custom tool is a function upstream and free text for the caller', async () => {
    await scene.put(25);
    const made = { name: 'apply', arguments: '{"input":"*** Begin"}' };
    const call = { id: 'call_1', type: 'function', function: made };
    scene.answer = json(chat({ content: null, tool_calls: [call] }, 'tool_calls'));
    const tools = [
      { type: 'custom' as const, name: 'apply', description: 'edits' },
      { ...lookUp, name: 'other' },
    ];
    const first = await scene.client.responses.create({ model, input: 'Edit', tools });
    expect(first.output).toMatchObject([
      { type: 'custom_tool_call', call_id: 'call_1', name: 'apply', input: '*** Begin' },
    ]);
    scene.answer = json(chat({ content: 'Done' }));
    await scene.client.responses.create({
      model,
      tools,
      tool_choice: {
        type: 'allowed_tools',
        mode: 'auto',
        tools: [{ type: 'custom', name: 'apply' }],
      },
      input: [
        { role: 'user', content: 'Edit' },
        ...(first.output as OpenAI.Responses.ResponseInput),
        { type: 'custom_tool_call_output', call_id: 'call_1', output: 'ok' },
      ],
    });
    expect(scene.sent().messages.slice(1)).toEqual([
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'call_1', content: 'ok' },
    ]);
    expect(scene.sent().tools).toHaveLength(1);
    expect(scene.sent().tool_choice).toBe('auto');
  });

  test.each([
    ['background', { background: true }],
    ['previous_response_id', { previous_response_id: 'resp_1' }],
    ['file_search', { tools: [{ type: 'file_search', vector_store_ids: ['v'] }] }],
    ['web_search', { tools: [{ type: 'web_search' }] }],
    ['computer_use_preview', { tools: [{ type: 'computer_use_preview' }] }],
    ['image_generation', { tools: [{ type: 'image_generation' }] }],
    ['item_reference', { input: [{ type: 'item_reference', id: 'x' }] }],
  ])('what such a channel cannot do is refused by name: %s', async (name, more) => {
    await scene.put(25);
    const body = JSON.stringify({ model, input: 'Hi', ...more });
    const reply = await scene.relay.send('/v1/responses', body);
    expect([reply.status, scene.upstream.requests.length]).toEqual([400, 0]);
    expect(JSON.parse(reply.text).error.message).toContain(name);
    expect(await scene.relay.journal.failed()).toMatchObject({ statusCode: 400 });
  });
});

describe('a channel of Azure', () => {
  const own = { id: 'resp_1', object: 'response', output: [], usage: { input_tokens: 3 } };

  test.each([
    ['', '/openai/v1/responses'],
    ['2025-04-01-preview', '/openai/responses?api-version=2025-04-01-preview'],
    ['preview', '/openai/v1/responses?api-version=preview'],
    ['v1', '/openai/v1/responses'],
  ])('takes the caller’s bytes at version %j', async (other, path) => {
    await scene.put(3, { other, modelMapping: JSON.stringify({ [model]: 'my-deployment' }) });
    scene.answer = json({ ...own, usage: { input_tokens: 3, output_tokens: 4 } });
    const reply = await scene.relay.send(
      '/v1/responses',
      `{"model":"${model}","input":"Hi","background":true}`,
    );
    expect(reply.status).toBe(200);
    expect(scene.upstream.requests[0]?.path).toBe(path);
    expect(scene.upstream.requests[0]?.headers['api-key']).toBe('upstream-key-1');
    expect(scene.sent()).toEqual({ model: 'my-deployment', input: 'Hi', background: true });
    expect(await scene.relay.journal.used()).toMatchObject({
      usage: { promptTokens: 3, completionTokens: 4 },
    });
  });
});
