import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { aChannel, json, rawKey, sse } from '../../tests/support/relay/relay-harness.ts';
import { relayScene } from '../../tests/support/relay/scene.ts';
import type { JsonObject } from '../protocol/canonical.ts';

const scene = relayScene({ usual: json({}), hasChannel: false });

const words = Array.from({ length: 4_000 }, (_, at) => `word ${at} `);

/** Text of a response requested over a connection whose caller reads at once. */
const textOverSocket = async (): Promise<string> => {
  const url = `ws://127.0.0.1:${scene.relay.port}/v1/responses`;
  const socket = new WebSocket(url, { headers: { authorization: `Bearer sk-${rawKey}` } });
  const deltas: string[] = [];
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject);
    socket.once('open', () =>
      socket.send(JSON.stringify({ type: 'response.create', model: 'gpt-4o-mini', input: 'Hi' })),
    );
    socket.on('message', (data) => {
      const event: JsonObject = JSON.parse(String(data));
      if (event.type === 'response.output_text.delta') deltas.push(String(event.delta));
      if (event.type === 'response.completed') resolve();
      if (event.type === 'error') reject(new Error(String(data)));
    });
  });
  socket.terminate();
  return deltas.join('');
};

const eventOf = (own: JsonObject): string => `event: ${own.type}\ndata: ${JSON.stringify(own)}\n\n`;

test("a provider's own answer that is longer than a socket buffers arrives whole", async () => {
  await scene.relay.put.channel(aChannel(1, { type: 1, baseUrl: scene.upstream.url }));
  const usage = { input_tokens: 3, output_tokens: 8_000, total_tokens: 8_003 };
  scene.answer = sse(
    [
      ...words.map((delta) => ({ type: 'response.output_text.delta', delta })),
      { type: 'response.completed', response: { id: 'resp_a', output: [], usage } },
    ].map(eventOf),
  );
  expect(await textOverSocket()).toBe(words.join(''));
});

test('a translated answer that is longer than a socket buffers arrives whole', async () => {
  await scene.relay.put.channel(aChannel(1, { type: 14, baseUrl: scene.upstream.url }));
  scene.answer = sse(
    [
      { type: 'message_start', message: { id: 'm', usage: { input_tokens: 3 } } },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      ...words.map((text) => ({
        type: 'content_block_delta',
        index: 0,
        delta: { type: 'text_delta', text },
      })),
      { type: 'content_block_stop', index: 0 },
      {
        type: 'message_delta',
        delta: { stop_reason: 'end_turn' },
        usage: { output_tokens: 8_000 },
      },
      { type: 'message_stop' },
    ].map(eventOf),
  );
  expect(await textOverSocket()).toBe(words.join(''));
});
