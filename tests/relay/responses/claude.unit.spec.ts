import type OpenAI from 'openai';
import { beforeEach, describe, expect, test } from 'vitest';
import { json, sse } from '../../support/relay/relay-harness.ts';
import { event, lookUp, model, responsesScene } from '../../support/relay/responses-scene.ts';

const scene = responsesScene();

describe('a channel of Claude', () => {
  const thinking = { type: 'thinking', thinking: 'A city.', signature: 'c2lnbmVk' };
  const called = { type: 'tool_use', id: 'toolu_1', name: 'look_up', input: { city: 'Paris' } };
  const usage = { input_tokens: 12, cache_read_input_tokens: 5, output_tokens: 4 };
  const message = (content: readonly object[], stop: string): object => ({
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'claude-x',
    content,
    stop_reason: stop,
    stop_sequence: null,
    usage,
  });
  beforeEach(() => scene.put(14));

  test('answers in one piece, and is billed by its report', async () => {
    scene.answer = json(message([{ type: 'text', text: 'Hello' }], 'end_turn'));
    const metadata = { ticket: '7' };
    const response = await scene.client.responses.create({
      model,
      input: 'Hi',
      instructions: 'Be kind',
      max_output_tokens: 64,
      metadata,
    });
    expect(response.output_text).toBe('Hello');
    expect(response).toMatchObject({
      object: 'response',
      status: 'completed',
      model: 'claude-x',
      instructions: 'Be kind',
      max_output_tokens: 64,
      metadata,
      usage: {
        input_tokens: 17,
        input_tokens_details: { cached_tokens: 5 },
        output_tokens: 4,
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens: 21,
      },
    });
    expect(scene.upstream.requests[0]?.path).toBe('/v1/messages');
    expect(scene.sent()).toMatchObject({
      system: 'Be kind',
      max_tokens: 64,
      messages: [{ role: 'user', content: 'Hi' }],
    });
    expect(scene.relay.journal.outcomes).toHaveLength(1);
    expect(await scene.relay.journal.used()).toMatchObject({
      usageSource: 'upstream',
      usage: { promptTokens: 12, completionTokens: 4, cachedTokens: 5 },
    });
  });

  test('gets its signed thought back with the result of the call', async () => {
    scene.answer = json(message([thinking, called], 'tool_use'));
    const input: OpenAI.Responses.ResponseInput = [{ role: 'user', content: 'Where?' }];
    const asked = { model, tools: [lookUp], reasoning: { effort: 'high' as const }, store: false };
    const first = await scene.client.responses.create({ ...asked, input });
    expect(first.output.map(({ type }) => type)).toEqual(['reasoning', 'function_call']);
    expect(first.output[0]).toMatchObject({ summary: [{ type: 'summary_text', text: 'A city.' }] });
    const call = first.output[1];
    if (call?.type !== 'function_call') throw new Error('no call');
    expect(JSON.parse(call.arguments)).toEqual({ city: 'Paris' });
    scene.answer = json(message([{ type: 'text', text: 'In France' }], 'end_turn'));
    const output = 'France';
    const result = { type: 'function_call_output' as const, call_id: call.call_id, output };
    const second = await scene.client.responses.create({
      ...asked,
      input: [...input, ...(first.output as OpenAI.Responses.ResponseInput), result],
    });
    expect(second.output_text).toBe('In France');
    expect(scene.sent().thinking).toMatchObject({ type: 'enabled' });
    expect(scene.sent().messages).toEqual([
      { role: 'user', content: 'Where?' },
      { role: 'assistant', content: [thinking, called] },
      {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'France' }],
      },
    ]);
  });

  test('streams thoughts, text and parallel calls as events that the library adds up', async () => {
    const start = { ...message([], 'x'), stop_reason: null };
    const block = (index: number, content_block: object, ...deltas: object[]): string =>
      [
        event({ type: 'content_block_start', index, content_block }),
        ...deltas.map((delta) => event({ type: 'content_block_delta', index, delta })),
        event({ type: 'content_block_stop', index }),
      ].join('');
    scene.answer = sse([
      event({ type: 'message_start', message: start }),
      block(
        0,
        { type: 'thinking', thinking: '', signature: '' },
        { type: 'thinking_delta', thinking: 'A ' },
        { type: 'thinking_delta', thinking: 'city.' },
        { type: 'signature_delta', signature: 'c2lnbmVk' },
      ),
      block(1, { type: 'text', text: '' }, { type: 'text_delta', text: 'I look' }),
      block(
        2,
        { ...called, input: {} },
        { type: 'input_json_delta', partial_json: '{"city":' },
        { type: 'input_json_delta', partial_json: '"Paris"}' },
      ),
      block(3, { ...called, id: 'toolu_2', input: {} }),
      event({ type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage }),
      event({ type: 'message_stop' }),
    ]);
    const run = scene.client.responses.stream({
      model,
      input: 'Where?',
      tools: [lookUp],
      reasoning: { effort: 'high' },
    });
    const types: string[] = [];
    const numbers: number[] = [];
    for await (const one of run) {
      types.push(one.type);
      numbers.push(one.sequence_number);
    }
    const response = await run.finalResponse();
    expect(types).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.reasoning_summary_part.added',
      'response.reasoning_summary_text.delta',
      'response.reasoning_summary_text.delta',
      'response.reasoning_summary_text.done',
      'response.reasoning_summary_part.done',
      'response.output_item.done',
      'response.output_item.added',
      'response.content_part.added',
      'response.output_text.delta',
      'response.output_text.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.output_item.added',
      'response.function_call_arguments.delta',
      'response.function_call_arguments.delta',
      'response.output_item.added',
      'response.function_call_arguments.delta',
      'response.function_call_arguments.done',
      'response.output_item.done',
      'response.function_call_arguments.done',
      'response.output_item.done',
      'response.completed',
    ]);
    expect(numbers).toEqual(numbers.map((_, at) => at));
    expect(response.output.map(({ type }) => type)).toEqual([
      ...['reasoning', 'message', 'function_call', 'function_call'],
    ]);
    expect(response.output[2]).toMatchObject({ arguments: '{"city":"Paris"}' });
    expect(response.output[3]).toMatchObject({ call_id: 'toolu_2', arguments: '{}' });
    expect(response.usage).toMatchObject({ input_tokens: 17, output_tokens: 4 });
  });

  test('an answer at its limit is incomplete, one that was refused as well', async () => {
    scene.answer = json(message([{ type: 'text', text: 'He' }], 'max_tokens'));
    const cut = await scene.client.responses.create({ model, input: 'Hi', max_output_tokens: 16 });
    expect(cut).toMatchObject({
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
    });
    scene.answer = json(message([], 'refusal'));
    const refused = await scene.client.responses.create({ model, input: 'Hi' });
    expect(refused.incomplete_details).toEqual({ reason: 'content_filter' });
  });

  test('takes a schema, and the library parses the answer', async () => {
    scene.answer = json(message([{ ...called, name: 'place' }], 'tool_use'));
    const schema = {
      type: 'object',
      properties: { city: { type: 'string' } },
      required: ['city'],
      additionalProperties: false,
    };
    const response = await scene.client.responses.parse({
      model,
      input: 'Where?',
      text: { format: { type: 'json_schema', name: 'place', schema, strict: true } },
    });
    expect(response.output_parsed).toEqual({ city: 'Paris' });
  });

  test('an answer without usage is counted, and the caller sees the count', async () => {
    const { usage: _none, ...silent } = message([{ type: 'text', text: 'Hello' }], 'end_turn') as {
      usage: object;
    };
    scene.answer = json(silent);
    const response = await scene.client.responses.create({ model, input: 'Hi' });
    const used = await scene.relay.journal.used();
    expect(used.usageSource).toBe('counted');
    expect(response.usage?.output_tokens).toBe(used.usage.completionTokens);
    expect(used.usage.completionTokens).toBeGreaterThan(0);
  });

  test('an error before the answer is one of the protocol, one in its middle ends it', async () => {
    scene.answer = json(
      { type: 'error', error: { type: 'overloaded_error', message: 'Busy' } },
      529,
    );
    await expect(scene.client.responses.create({ model, input: 'Hi' })).rejects.toThrow('Busy');
    scene.answer = sse([
      event({ type: 'message_start', message: { ...message([], 'x'), stop_reason: null } }),
      event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: 'He' } }),
      event({ type: 'error', error: { type: 'overloaded_error', message: 'Busy' } }),
    ]);
    const events = await scene.client.responses.create({ model, input: 'Hi', stream: true });
    let last: OpenAI.Responses.ResponseStreamEvent | undefined;
    for await (const one of events) last = one;
    expect(last).toMatchObject({
      type: 'response.failed',
      response: { status: 'failed', error: { code: 'server_error' } },
    });
  });
});
