import { countTokens as exactO200k } from 'gpt-tokenizer/encoding/o200k_base';
import { ResponsesWS } from 'openai/resources/responses/ws';
import { beforeEach, describe, expect, test } from 'vitest';
import { type Answer, aChannel, json, sse } from '../../support/relay/relay-harness.ts';
import {
  conversationReader,
  event,
  model,
  responsesScene,
} from '../../support/relay/responses-scene.ts';

const scene = responsesScene();
const unknown = `conv_tg${'0'.repeat(32)}`;
const message = (content: readonly object[]): object => ({
  ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'claude-x', content },
  ...{ stop_reason: 'end_turn', stop_sequence: null },
  usage: { input_tokens: 12, output_tokens: 4 },
});
const answering = (text: string): Answer => json(message([{ type: 'text', text }]));
const streamed = (text: string): Answer =>
  sse([
    event({ type: 'message_start', message: { ...message([]), stop_reason: null } }),
    event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text } }),
    event({ type: 'content_block_stop', index: 0 }),
    event({ type: 'message_delta', delta: { stop_reason: 'end_turn' } }),
    event({ type: 'message_stop' }),
  ]);
const ask = (conversation: string | { id: string }, input: string) =>
  scene.client.responses.create({ model, input, conversation });
const { itemsOf, textsOf } = conversationReader(scene);

describe('a response in a conversation, on a channel that keeps nothing itself', () => {
  beforeEach(() => scene.put(14));

  test("receives the earlier turns, and is part of the next one's input", async () => {
    const { id } = await scene.client.conversations.create({
      items: [{ role: 'developer', content: 'Be brief' }],
    });
    scene.answer = answering('One');
    const first = await ask(id, 'Count');
    expect(first).toMatchObject({ conversation: { id }, output_text: 'One' });
    scene.answer = streamed('Two');
    const stream = scene.client.responses.stream({ model, input: 'Go on', conversation: { id } });
    const shown: unknown[] = [];
    stream.on('event', (seen) => {
      if ('response' in seen) shown.push([seen.type, seen.response.conversation]);
    });
    await stream.finalResponse();
    expect(shown).toEqual([
      ['response.created', { id }],
      ['response.in_progress', { id }],
      ['response.completed', { id }],
    ]);
    scene.answer = answering('Three');
    await ask({ id }, 'And on');
    expect(scene.sent()).toMatchObject({
      messages: [
        { role: 'user', content: 'Count' },
        { role: 'assistant', content: 'One' },
        { role: 'user', content: 'Go on' },
        { role: 'assistant', content: 'Two' },
        { role: 'user', content: 'And on' },
      ],
    });
    expect(JSON.stringify(scene.sent().system)).toContain('Be brief');
    const items = (await itemsOf(id)) as readonly { id: string }[];
    expect(items).toHaveLength(7);
    expect(new Set(items.map((item) => item.id)).size).toBe(7);
    expect(items[2]).toEqual(first.output[0]);
  });

  test('of two at a time, neither is lost', async () => {
    const { id } = await scene.client.conversations.create();
    scene.answer = answering('Yes');
    await Promise.all(['a', 'b', 'c', 'd'].map((input) => ask(id, input)));
    const texts = await textsOf(id);
    const turns = [0, 2, 4, 6].map((at) => JSON.stringify(texts.slice(at, at + 2)));
    expect(turns.toSorted()).toEqual(
      ['a', 'b', 'c', 'd'].map((input) => `[["user","${input}"],["assistant","Yes"]]`),
    );
  });

  test('over a websocket it continues a conversation as over HTTP', async () => {
    const { id } = await scene.client.conversations.create();
    scene.answer = answering('One');
    await ask(id, 'Count');
    scene.answer = streamed('Two');
    const socket = new ResponsesWS(scene.client);
    const ended = new Promise<unknown>((resolve, reject) => {
      socket.on('response.completed', ({ response }) => resolve(response));
      socket.on('error', reject);
    });
    socket.send({ type: 'response.create', model, input: 'Go on', conversation: id });
    expect(await ended).toMatchObject({ conversation: { id }, status: 'completed' });
    socket.close();
    expect(scene.sent().messages).toEqual([
      { role: 'user', content: 'Count' },
      { role: 'assistant', content: 'One' },
      { role: 'user', content: 'Go on' },
    ]);
    expect((await textsOf(id)).slice(2)).toEqual([
      ['user', 'Go on'],
      ['assistant', 'Two'],
    ]);
  });

  test('is kept without the key of the channel', async () => {
    const { id } = await scene.client.conversations.create();
    scene.answer = answering('The key is upstream-key-1.');
    await ask(id, 'Tell');
    expect(await textsOf(id)).toEqual([
      ['user', 'Tell'],
      ['assistant', 'The key is [key].'],
    ]);
  });

  test('the count of an input counts the conversation before it', async () => {
    const words = 'The weather report of the coast says rain, wind and some sun. '.repeat(40);
    const { id } = await scene.client.conversations.create({
      items: [{ role: 'user', content: words }],
    });
    const { inputTokens } = scene.client.responses;
    const { input_tokens: alone } = await inputTokens.count({ model, input: 'Hi' });
    const { input_tokens: whole } = await inputTokens.count({
      ...{ model, input: 'Hi', conversation: id },
    });
    const more = exactO200k(words);
    expect(whole - alone).toBeGreaterThan(more - 1);
    expect(whole - alone).toBeLessThan(more + 100);
    await expect(
      inputTokens.count({ model, input: 'Hi', conversation: unknown }),
    ).rejects.toMatchObject({ status: 404 });
  });

  test('a call that cannot be served leaves the conversation as it was', async () => {
    const { id } = await scene.client.conversations.create();
    scene.answer = json({ type: 'error', error: { type: 'api_error', message: 'no' } }, 500);
    await expect(ask(id, 'x')).rejects.toMatchObject({ status: 500 });
    expect(await itemsOf(id)).toEqual([]);
  });

  test('an answer whose caller has gone is not added', async () => {
    const { id } = await scene.client.conversations.create();
    let goOn = (): void => {};
    scene.answer = (_req, res) => {
      const begun = { ...message([]), stop_reason: null };
      const block = { type: 'text', text: 'One' };
      res.writeHead(200, { 'content-type': 'text/event-stream' });
      res.write(event({ type: 'message_start', message: begun }));
      res.write(event({ type: 'content_block_start', index: 0, content_block: block }));
      goOn = () => {
        res.write(event({ type: 'content_block_stop', index: 0 }));
        res.write(event({ type: 'message_delta', delta: { stop_reason: 'end_turn' } }));
        res.end(event({ type: 'message_stop' }));
      };
    };
    const asked = { model, input: 'x', conversation: id, stream: true as const };
    const stream = await scene.client.responses.create(asked);
    const noticed = scene.relay.nextClose();
    // The library hangs up where its caller leaves the loop.
    for await (const { type } of stream) if (type === 'response.created') break;
    await noticed;
    goOn();
    expect(await scene.relay.journal.used()).toMatchObject({ end: 'client-gone' });
    expect(await itemsOf(id)).toEqual([]);
  });

  test('an unknown one, and one next to a previous response, are refused before a provider is called', async () => {
    await expect(ask(unknown, 'x')).rejects.toMatchObject({
      status: 404,
      type: 'invalid_request_error',
      message: expect.stringContaining(`Conversation with id '${unknown}' not found.`),
    });
    const { id } = await scene.client.conversations.create();
    const other = await scene.stranger();
    await expect(
      other.responses.create({ model, input: 'x', conversation: id }),
    ).rejects.toMatchObject({ status: 404 });
    const both = { model, input: 'x', conversation: id, previous_response_id: 'resp_1' };
    await expect(scene.client.responses.create(both)).rejects.toMatchObject({
      ...{ status: 400, code: 'mutually_exclusive_parameters' },
    });
    await expect(
      scene.client.responses.create({ model, input: 'x', conversation: id, background: true }),
    ).rejects.toMatchObject({ status: 400, param: 'background' });
    expect(scene.upstream.requests).toEqual([]);
  });

  test('one at its maximum length accepts no more, with an error', async () => {
    const { conversations } = scene.client;
    const { id } = await conversations.create();
    const half = [{ role: 'user' as const, content: 'x'.repeat(200_000) }];
    await conversations.items.create(id, { items: half });
    const full = { status: 400, code: 'conversation_full' };
    await expect(conversations.items.create(id, { items: half })).rejects.toMatchObject(full);
    await expect(ask(id, 'x'.repeat(200_000))).rejects.toMatchObject(full);
    expect(scene.upstream.requests).toEqual([]);
    scene.answer = answering('y'.repeat(500_000));
    expect(await ask(id, 'Long')).toMatchObject({
      ...{ conversation: null, notice: { code: 'conversation_full' } },
    });
    await expect(ask(id, 'x')).rejects.toMatchObject(full);
    expect(await textsOf(id)).toHaveLength(1);
    const [item] = (await itemsOf(id)) as readonly { id: string }[];
    await conversations.items.delete(String(item?.id), { conversation_id: id });
    scene.answer = answering('Fine');
    expect(await ask(id, 'x')).toMatchObject({ conversation: { id } });
  });
});

describe('a response in a conversation, on channels that keep responses themselves', () => {
  const responded = (id: string, output: readonly object[]): object => ({
    ...{ id, object: 'response', status: 'completed', conversation: null, output },
    usage: { input_tokens: 3, output_tokens: 4, total_tokens: 7 },
  });
  const text = { type: 'output_text', text: 'One', annotations: [] };
  const output = [
    { type: 'reasoning', id: 'rs_1', summary: [] },
    { type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content: [text] },
  ];

  test('is sent upstream with all earlier items, and without ids that another channel does not have', async () => {
    await scene.put(1);
    const { id } = await scene.client.conversations.create();
    scene.answer = json(responded('resp_1', output));
    const first = await ask(id, 'Count');
    expect(first).toMatchObject({ id: 'resp_1', conversation: { id }, output });
    expect(scene.sent()).toEqual({ model, input: [{ role: 'user', content: 'Count' }] });
    expect(await itemsOf(id)).toMatchObject([{ role: 'user' }, ...output]);
    await scene.put(1, { enabled: false });
    await scene.relay.put.channel(aChannel(2, { baseUrl: scene.upstream.url }));
    const done = responded('resp_2', []);
    scene.answer = sse([
      event({ type: 'response.created', response: { ...done, status: 'in_progress' } }),
      event({ type: 'response.completed', response: done }),
    ]);
    const stream = scene.client.responses.stream({ model, input: 'Go on', conversation: id });
    expect(await stream.finalResponse()).toMatchObject({ id: 'resp_2', conversation: { id } });
    expect(scene.sent().input).toEqual([
      {
        ...{ type: 'message', role: 'user', status: 'completed' },
        content: [{ type: 'input_text', text: 'Count' }],
      },
      { type: 'message', role: 'assistant', status: 'completed', content: [text] },
      { role: 'user', content: 'Go on' },
    ]);
    expect(await itemsOf(id)).toHaveLength(4);
  });

  test('without a conversation the bytes pass as ever', async () => {
    await scene.put(1);
    scene.answer = json(responded('resp_1', []));
    const asked = { model, input: 'x', conversation: null };
    const { text: shown } = await scene.relay.send('/v1/responses', JSON.stringify(asked));
    expect(JSON.parse(shown)).toEqual(responded('resp_1', []));
    expect(scene.sent()).toEqual(asked);
  });
});
