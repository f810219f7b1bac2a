import { expect, test } from 'vitest';
import { doneEvent, sse } from '../support/relay/relay-harness.ts';
import { oneChannel } from '../support/relay/scene.ts';

const scene = oneChannel();
const event = (delta: object, finish: string | null): string =>
  `data: ${JSON.stringify({ id: 'c1', object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
const ask = () =>
  scene.relay.send(
    '/v1beta/models/gpt-4o-mini:streamGenerateContent?alt=sse',
    '{"contents":[{"role":"user","parts":[{"text":"Hello"}]}]}',
  );

test('a stream of nothing but a call, without usage, reaches callers of Gemini and is billed', async () => {
  const made = {
    index: 0,
    id: 'call_1',
    type: 'function',
    function: { name: 'find_weather', arguments: '{"city":"Paris, the capital of France"}' },
  };
  scene.answer = sse([
    event({ role: 'assistant', tool_calls: [made] }, null),
    event({}, 'tool_calls'),
    doneEvent,
  ]);
  const reply = await ask();
  expect(reply.status).toBe(200);
  expect(reply.text).toContain('"functionCall":{');
  expect(reply.text).toContain('Paris, the capital of France');
  const used = await scene.relay.journal.used();
  expect(used.end).toBe('complete');
  expect(used.usage.completionTokens).toBeGreaterThan(5);
});

test('an answer that ends in order without a word is an answer', async () => {
  scene.answer = sse([event({ role: 'assistant' }, null), event({}, 'stop'), doneEvent]);
  const reply = await ask();
  expect(reply.status).toBe(200);
  expect(reply.text).toContain('"finishReason":"STOP"');
  expect((await scene.relay.journal.used()).usage.completionTokens).toBe(0);
});

test('a stream without any content is no answer', async () => {
  scene.answer = sse([]);
  expect((await ask()).status).toBe(502);
});
