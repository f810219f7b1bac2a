import { beforeEach, describe, expect, test } from 'vitest';
import { responseBucket } from '../../../domain/relay/response-bucket.ts';
import { aChannel, json, sse } from '../../support/relay/relay-harness.ts';
import { event, lookUp, model, responsesScene } from '../../support/relay/responses-scene.ts';

const scene = responsesScene();
const statusOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 200,
    (error: { status: number }) => error.status,
  );

describe('on a channel that keeps nothing itself', () => {
  const message = (content: readonly object[]): object => ({
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'claude-x',
    content,
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: 12, output_tokens: 4 },
  });
  const say = (text: string): void => {
    scene.answer = json(message([{ type: 'text', text }]));
  };
  beforeEach(() => scene.put(14));

  test('is kept without the key of the channel', async () => {
    say('The key is upstream-key-1.');
    const made = await scene.client.responses.create({ model, input: 'Tell' });
    expect(made.output_text).toBe('The key is [key].');
    expect((await scene.client.responses.retrieve(made.id)).output).toEqual(made.output);
  });

  test('a call continues an earlier one', async () => {
    const ask = (input: string, previous_response_id?: string) =>
      scene.client.responses.create({
        model,
        input,
        ...(previous_response_id === undefined ? {} : { previous_response_id }),
      });
    scene.answer = sse([
      event({ type: 'message_start', message: { ...message([]), stop_reason: null } }),
      event({
        type: 'content_block_start',
        index: 0,
        content_block: { type: 'text', text: 'One' },
      }),
      event({ type: 'content_block_stop', index: 0 }),
      event({ type: 'message_delta', delta: { stop_reason: 'end_turn' } }),
      event({ type: 'message_stop' }),
    ]);
    const first = await scene.client.responses.stream({ model, input: 'Count' }).finalResponse();
    say('Two');
    const second = await ask('Go on', first.id);
    say('Three');
    await ask('And on', second.id);
    expect(scene.sent().messages).toEqual([
      { role: 'user', content: 'Count' },
      { role: 'assistant', content: 'One' },
      { role: 'user', content: 'Go on' },
      { role: 'assistant', content: 'Two' },
      { role: 'user', content: 'And on' },
    ]);
  });

  test('a result finds its call and its thought, by the response or by their ids', async () => {
    const thinking = { type: 'thinking', thinking: 'A city.', signature: 'c2ln' };
    const called = { type: 'tool_use', id: 'toolu_1', name: 'look_up', input: { city: 'Paris' } };
    scene.answer = json(message([thinking, called]));
    const asked = { model, tools: [lookUp], reasoning: { effort: 'high' as const } };
    const first = await scene.client.responses.create({ ...asked, input: 'Where?' });
    const result = { type: 'function_call_output' as const, call_id: 'toolu_1', output: 'France' };
    const expected = [
      { role: 'user', content: 'Where?' },
      { role: 'assistant', content: [thinking, called] },
      {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'France' }],
      },
    ];
    say('In France');
    await scene.client.responses.create({
      ...asked,
      previous_response_id: first.id,
      input: [result],
    });
    expect(scene.sent().messages).toEqual(expected);
    const references = first.output.map(({ id }) => ({
      type: 'item_reference' as const,
      id: String(id),
    }));
    await scene.client.responses.create({
      ...asked,
      input: [{ role: 'user', content: 'Where?' }, ...references, result],
    });
    expect(scene.sent().messages).toEqual(expected);
  });

  test('is shown, listed and removed for the user who made it, and for no other', async () => {
    say('Hello');
    const { responses } = scene.client;
    const made = await responses.create({ model, input: 'A secret' });
    const other = await scene.stranger();
    expect(await statusOf(other.responses.retrieve(made.id))).toBe(404);
    expect(await statusOf(other.responses.delete(made.id))).toBe(404);
    const goOn = { model, input: 'x', previous_response_id: made.id };
    expect(await statusOf(other.responses.create(goOn))).toBe(400);
    expect((await responses.retrieve(made.id)).output_text).toBe('Hello');
    const items = await responses.inputItems.list(made.id);
    expect(items.data).toMatchObject([{ role: 'user', content: 'A secret' }]);
    await responses.delete(made.id);
    expect(await statusOf(responses.retrieve(made.id))).toBe(404);
    await expect(responses.create(goOn)).rejects.toMatchObject({
      status: 400,
      code: 'previous_response_not_found',
    });
    expect(scene.upstream.requests).toHaveLength(1);
  });

  test('what is kept cannot be read in the store', async () => {
    say('Hello');
    const { id } = await scene.client.responses.create({ model, input: 'A secret' });
    const { bucket, ttlSeconds } = responseBucket;
    const held = await scene.relay.bus.keyValue(bucket, { ttlSeconds }).get(id);
    expect(held).not.toBeNull();
    expect(JSON.stringify(held)).not.toContain('secret');
    expect(Buffer.from(JSON.stringify(held), 'base64').toString()).not.toContain('secret');
  });

  test('nothing is kept against the setting of the caller or the operator', async () => {
    say('Hello');
    const { responses } = scene.client;
    const own = await responses.create({ model, input: 'x', store: false });
    expect(await statusOf(responses.retrieve(own.id))).toBe(404);
    await scene.relay.put.option('responses.keep_hours', '0');
    const off = await responses.create({ model, input: 'x' });
    expect(await statusOf(responses.retrieve(off.id))).toBe(404);
  });
});

describe('on channels that keep responses themselves', () => {
  const response = (id: string): object => ({
    id,
    object: 'response',
    status: 'completed',
    output: [],
    usage: { input_tokens: 3, output_tokens: 4, total_tokens: 7 },
  });
  const madeBy = (): unknown => scene.upstream.requests.at(-1)?.headers.authorization;

  test('a call continues on the channel of the earlier one', async () => {
    await scene.put(1);
    await scene.relay.put.channel(aChannel(2, { baseUrl: scene.upstream.url }));
    const { responses } = scene.client;
    for (let at = 0; at < 12; at += 1) {
      scene.answer = json(response(`resp_${at}`));
      await responses.create({ model, input: 'x' });
      const maker = madeBy();
      await responses.create({ model, input: 'y', previous_response_id: `resp_${at}` });
      expect(madeBy()).toBe(maker);
      expect(scene.sent()).toEqual({ model, input: 'y', previous_response_id: `resp_${at}` });
    }
  });

  test('is read with the key of the channel, by the user who made it alone', async () => {
    await scene.put(1);
    scene.answer = json(response('resp_1'));
    await scene.client.responses.create({ model, input: 'x' });
    const other = await scene.stranger();
    expect(await statusOf(other.responses.retrieve('resp_1'))).toBe(404);
    expect(scene.upstream.requests).toHaveLength(1);
    expect(await scene.client.responses.retrieve('resp_1')).toMatchObject({ id: 'resp_1' });
    expect(scene.upstream.requests[1]?.path).toBe('/v1/responses/resp_1');
    expect(madeBy()).toBe('Bearer upstream-key-1');
    expect(await statusOf(scene.client.responses.retrieve('resp_2'))).toBe(404);
  });
});
