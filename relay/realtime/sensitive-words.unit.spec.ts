import { afterEach, expect, test } from 'vitest';
import {
  answeringTurns,
  openLive,
  startGoogle,
  startLive,
} from '../../tests/support/relay/live-harness.ts';
import {
  answering,
  closeAll,
  speak,
  startProvider,
  startWith,
} from '../../tests/support/relay/session-harness.ts';

afterEach(closeAll);

const itemOf = (text: string) => ({
  type: 'conversation.item.create',
  item: { type: 'message', role: 'user', content: [{ type: 'input_text', text }] },
});

test.each([
  ['an item', itemOf('forbidden fruit')],
  ['instructions', { type: 'session.update', session: { instructions: 'be FORBIDDEN' } }],
  ['a response', { type: 'response.create', response: { instructions: 'forbidden' } }],
])('%s with a sensitive word is not passed on, and the session continues', async (_what, event) => {
  const provider = await startProvider(answering);
  const relay = await startWith(provider.url);
  await relay.put.option('SensitiveWords', 'forbidden');
  const client = await speak(relay);
  const error = client.next('error');
  client.say(event);
  expect(await error).toMatchObject({ error: { code: 'sensitive_words_detected' } });
  const done = client.next('response.done');
  client.say({ type: 'response.create' });
  await done;
  expect(JSON.stringify(provider.seen.events)).not.toMatch(/forbidden/i);
});

test('sound is not searched for words', async () => {
  const provider = await startProvider(answering);
  const relay = await startWith(provider.url);
  await relay.put.option('SensitiveWords', 'abc');
  const client = await speak(relay);
  client.say({ type: 'input_audio_buffer.append', audio: 'xxabcxx=' });
  const done = client.next('response.done');
  client.say({ type: 'response.create' });
  await done;
  expect(provider.seen.events[0]).toMatchObject({ audio: 'xxabcxx=' });
});

test("a turn in Gemini's protocol with a sensitive word ends the session", async () => {
  const google = await startGoogle(answeringTurns);
  const relay = await startLive(google.url);
  await relay.put.option('SensitiveWords', 'forbidden');
  const client = await openLive(relay);
  client.say({
    clientContent: {
      turns: [{ role: 'user', parts: [{ text: 'forbidden' }] }],
      turnComplete: true,
    },
  });
  const [, reason] = await client.closed;
  expect(reason).toContain('not allowed here');
  expect(JSON.stringify(google.seen.events)).not.toContain('forbidden');
});
