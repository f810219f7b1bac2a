import { expect, test } from 'vitest';
import { sseText, translating } from '../../tests/support/vectors/translating.ts';
import type { JsonObject } from '../protocol/canonical.ts';
import { providerOf } from './registry.ts';

const user = { role: 'user', content: 'Hi' };
const types = [3, 4, 14, 20, 24, 27, 33, 34, 39, 41, 42, 43, 48, 56];
const keys: Readonly<Record<number, string>> = { 33: 'AK|secret|us-east-1' };
const openShaped = [3, 4, 20, 27, 39, 42, 43, 48];

const of = (type: number): ReturnType<typeof translating> => {
  const adapter = providerOf(type)?.translate;
  if (adapter === undefined) throw new Error(`no provider of type ${type}`);
  return translating(adapter, type);
};
const channelFor = (type: number): JsonObject => ({
  key: keys[type] ?? 'k1|k2',
  base_url: 'https://up.example.com/prefix/',
  other: '2024-12-01-preview',
});

test.each(types.filter((type) => type !== 41))(
  'type %i puts its path behind the address that the operator gave',
  async (type) => {
    const request = await of(type).request({
      body: { model: 'm', messages: [user] },
      channel: channelFor(type),
    });
    expect(request).toMatchObject({
      url: expect.stringContaining('https://up.example.com/prefix/'),
    });
  },
);

test.each(openShaped)('type %i keeps explicit zeros and unknown members', async (type) => {
  const body = {
    model: 'm',
    messages: [user],
    temperature: 0,
    max_tokens: 0,
    brand_new: { a: 0 },
  };
  expect(await of(type).up({ body, channel: channelFor(type) })).toMatchObject({
    temperature: 0,
    max_tokens: 0,
    brand_new: { a: 0 },
  });
});

const chunk = (delta: JsonObject, finish: string | null = null): JsonObject => ({
  id: 'c',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'm',
  choices: [{ index: 0, delta, finish_reason: finish }],
});

test.each(openShaped)(
  'type %i distinguishes a stream that broke off from one that ended',
  (type) => {
    const body = { model: 'm', messages: [user], stream: true };
    const situation = { body, channel: channelFor(type) };
    const half = sseText([chunk({ content: 'Half' })]);
    expect(of(type).streamed(half, situation).error).toMatchObject({ code: 'stream_interrupted' });
    expect(of(type).streamed(`${half}data: [DONE]\n\n`, situation).error).toBeNull();
  },
);

test.each(openShaped)('type %i never loses a report of usage, wherever it is', (type) => {
  const body = { model: 'm', messages: [user], stream: true };
  const situation = { body, channel: channelFor(type) };
  const usage = { prompt_tokens: 4, completion_tokens: 2, total_tokens: 6 };
  const unasked = sseText([{ ...chunk({ content: 'Hi' }, 'stop'), usage }]);
  const { produced, usage: reported } = of(type).streamed(unasked, situation);
  expect(reported).toMatchObject({ promptTokens: 4, completionTokens: 2 });
  expect(produced.usage).toBeNull();
  const asked = { ...situation, body: { ...body, stream_options: { include_usage: true } } };
  expect(of(type).streamed(unasked, asked).produced.usage).toMatchObject({ total_tokens: 6 });
});

test.each(openShaped)('type %i takes an error inside HTTP 200 for an error', async (type) => {
  const situation = { body: { model: 'm', messages: [user] }, channel: channelFor(type) };
  const answer = { error: { message: 'Busy', type: 'overloaded', code: 503 } };
  expect(await of(type).down(answer, situation)).toMatchObject({ status: 503, message: 'Busy' });
});

test.each(types)('type %i gives no address or key away in errors', (type) => {
  const adapter = providerOf(type)?.translate;
  const message = 'See https://internal.example.com/x with sk-abcdef123456';
  const reply = {
    status: 500,
    headers: {},
    body: Buffer.from(JSON.stringify({ error: { message } })),
  };
  expect(adapter?.failure(reply).message).toBe('See [address] with [key]');
});
