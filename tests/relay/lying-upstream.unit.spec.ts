import { describe, expect, test } from 'vitest';
import {
  aChannel,
  chatAnswer,
  chatBody,
  chunkEvent,
  doneEvent,
  json,
  sse,
  usageChunk,
  usageOf,
} from '../support/relay/relay-harness.ts';
import { relayScene } from '../support/relay/scene.ts';

const scene = relayScene({ hasChannel: false });

const million = usageOf(1_000_000, 1_000_000);
const claudeMillion = {
  type: 'message',
  role: 'assistant',
  content: [{ type: 'text', text: 'Hi there' }],
  stop_reason: 'end_turn',
  usage: {
    input_tokens: 1_000_000,
    output_tokens: 1_000_000,
    cache_read_input_tokens: 1_000_000,
    cache_creation_input_tokens: 1_000_000,
  },
};
const contentMillion = {
  candidates: [{ content: { role: 'model', parts: [{ text: 'Hi' }] }, finishReason: 'STOP' }],
  usageMetadata: { promptTokenCount: 1_000_000, candidatesTokenCount: 1_000_000 },
};

/** gpt-4o-mini: 0.075 units for a token of the prompt, four times as much for one of the answer. */
const amountOf = async (): Promise<number> => {
  await scene.relay.journal.used();
  return scene.relay.leases.settled.at(-1)?.amount ?? 0;
};

describe('a provider\'s report of a million tokens for "hi" is bounded', () => {
  test.each([
    ['in one piece', 1, {}, json(chatAnswer(million))],
    ['in a stream', 1, { stream: true }, sse([chunkEvent('Hi'), usageChunk(million), doneEvent])],
    ['translated from Claude', 14, {}, json(claudeMillion)],
    ['translated from Gemini', 24, {}, json(contentMillion)],
  ])('%s', async (_how, type, more, lie) => {
    await scene.relay.put.channel(aChannel(1, { type, baseUrl: scene.upstream.url }));
    scene.answer = lie;
    const reply = await scene.relay.send('/v1/chat/completions', chatBody(more));
    expect(reply.status).toBe(200);
    // Where the finding had 1,131,140 units: the prompt within 8,192 tokens and its bytes, the
    // answer within its bytes.
    expect(await amountOf()).toBeLessThan(1_500);
    const { usageNote } = await scene.relay.journal.used();
    expect(usageNote).toContain('prompt tokens 1000000 taken as');
    expect(usageNote).toContain('completion tokens 1000000 taken as');
  });
});

test.each([false, true])(
  'a limit of 16 holds for what is reported, streamed %s',
  async (stream) => {
    await scene.relay.put.channel(aChannel(1, { baseUrl: scene.upstream.url }));
    const usage = usageOf(9, 5_000);
    scene.answer = stream
      ? sse([chunkEvent('Hi'), usageChunk(usage), doneEvent])
      : json(chatAnswer(usage));
    await scene.relay.send('/v1/chat/completions', chatBody({ stream, max_tokens: 16 }));
    const used = await scene.relay.journal.used();
    expect(used.usage).toMatchObject({ promptTokens: 9, completionTokens: 82 });
    expect(used.usageNote).toBe('completion tokens 5000 taken as 82');
    // (9 + 82 × 4) × 0.075 = 25.275
    expect(await amountOf()).toBe(25);
  },
);

test('a long answer of many tokens is charged as it was reported', async () => {
  await scene.relay.put.channel(aChannel(1, { baseUrl: scene.upstream.url }));
  const words = Array.from({ length: 400 }, (_none, at) => chunkEvent(`word${at} and more of it `));
  scene.answer = sse([...words, usageChunk(usageOf(9, 2_800)), doneEvent]);
  await scene.relay.send('/v1/chat/completions', chatBody({ stream: true }));
  expect(await scene.relay.journal.used()).toMatchObject({
    usageNote: null,
    usage: { promptTokens: 9, completionTokens: 2_800 },
  });
});

describe('a call is refused for what it needs, and not for an estimate', () => {
  test('where the quota covers the prompt as it counts', async () => {
    await scene.relay.put.channel(aChannel(1, { baseUrl: scene.upstream.url }));
    scene.answer = json(chatAnswer(usageOf(1_008, 5)));
    const messages = [{ role: 'user', content: 'word '.repeat(1_000) }];
    const send = () =>
      scene.relay.send('/v1/chat/completions', chatBody({ messages, max_tokens: 100 }));
    // 1,000 words and 8 around them, and 100 of output at four times the price: 1408 × 0.075 = 106.
    scene.relay.leases.funds = 106;
    expect((await send()).status).toBe(200);
    scene.relay.leases.funds = 105;
    const { status, text } = await send();
    expect(status).toBe(429);
    expect(JSON.parse(text).error.message).toContain('needs up to 106');
  });
});
