import { countTokens as exactO200k } from 'gpt-tokenizer/encoding/o200k_base';
import { expect, test } from 'vitest';
import { aChannel, json } from '../../tests/support/relay/relay-harness.ts';
import { relayScene } from '../../tests/support/relay/scene.ts';
import type { JsonObject } from '../protocol/canonical.ts';

const scene = relayScene({ usual: json({}), hasChannel: false });
const model = 'gpt-4o-mini';

const put = (type: number, id = 1): Promise<void> =>
  scene.relay.put.channel(
    aChannel(id, { type, baseUrl: scene.upstream.url, modelMapping: `{"${model}":"gpt-5"}` }),
  );
const post = async (path: string, body: JsonObject) => {
  const { status, text } = await scene.relay.send(path, JSON.stringify({ model, ...body }));
  return { status, body: JSON.parse(text) };
};

test('OpenAI counts the input of a response, which costs nothing', async () => {
  await put(1);
  scene.answer = json({ object: 'response.input_tokens', input_tokens: 321 });
  const asked = { input: 'Hi', instructions: 'Be brief', max_output_tokens: 64, stream: false };
  expect(await post('/v1/responses/input_tokens', asked)).toEqual({
    ...{ status: 200, body: { object: 'response.input_tokens', input_tokens: 321 } },
  });
  expect(scene.upstream.requests[0]?.path).toBe('/v1/responses/input_tokens');
  expect(scene.sent()).toEqual({ model: 'gpt-5', input: 'Hi', instructions: 'Be brief' });
  expect(scene.relay.journal.startedEntries).toEqual([]);
});

test('the relay counts where the provider does not, results of tools included', async () => {
  await put(14);
  const words = 'The weather report of the coast says rain, wind and some sun. '.repeat(40);
  const input = [
    { role: 'user', content: 'What does it say?' },
    { type: 'function_call', call_id: 'c1', name: 'read', arguments: '{}' },
    { type: 'function_call_output', call_id: 'c1', output: words },
  ];
  const { status, body } = await post('/v1/responses/input_tokens', { input });
  expect(status).toBe(200);
  expect(body.input_tokens).toBeGreaterThan(exactO200k(words) - 1);
  expect(body.input_tokens).toBeLessThan(exactO200k(words) + 200);
  expect(scene.upstream.requests).toEqual([]);
});

const compacted = {
  ...{ id: 'resp_c', object: 'response.compaction' },
  output: [{ type: 'compaction', id: 'cmp_1', encrypted_content: 'c2VhbGVk' }],
  usage: { input_tokens: 900, output_tokens: 60, total_tokens: 960 },
};

test('a conversation is made shorter by its provider, and paid by what that used', async () => {
  await put(14, 2);
  await put(1);
  scene.answer = json(compacted);
  const input = [{ role: 'user', content: 'Hi '.repeat(900) }];
  expect(await post('/v1/responses/compact', { input })).toEqual({ status: 200, body: compacted });
  expect(scene.upstream.requests.map(({ path }) => path)).toEqual(['/v1/responses/compact']);
  expect(scene.sent()).toEqual({ model: 'gpt-5', input });
  expect((await scene.relay.journal.used()).usage).toMatchObject({
    ...{ promptTokens: 900, completionTokens: 60 },
  });
  expect(scene.relay.leases.settled).toHaveLength(1);
});

test('no other provider gets a request to make one shorter', async () => {
  await put(14);
  const { status, body } = await post('/v1/responses/compact', { input: 'Hi' });
  expect([status, body.error.code]).toEqual([400, 'invalid_api_type']);
  expect(scene.upstream.requests).toEqual([]);
});
