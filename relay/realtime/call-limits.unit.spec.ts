import { afterEach, expect, test } from 'vitest';
import { chatBody } from '../../tests/support/relay/relay-harness.ts';
import {
  answering,
  closeAll,
  model,
  speak,
  startProvider,
  startWith,
} from '../../tests/support/relay/session-harness.ts';

afterEach(closeAll);

const patience = { timeout: 5_000, interval: 50 };

test('a session is a call for as long as its connection lasts', async () => {
  const relay = await startWith((await startProvider(answering)).url);
  await relay.put.option('call_limits.users', '{"*":{"concurrent_requests":1}}');
  const first = await speak(relay);
  await expect(speak(relay)).rejects.toThrow('429');
  first.socket.close();
  await first.closed;
  const opens = (): Promise<boolean> =>
    speak(relay).then(
      () => true,
      () => false,
    );
  await expect.poll(opens, patience).toBe(true);
});

test('the answers of a session count their tokens', async () => {
  const relay = await startWith((await startProvider(answering)).url);
  await relay.put.option('call_limits.users', '{"*":{"tokens_per_minute":10000}}');
  const client = await speak(relay);
  for (let at = 0; at < 10; at += 1) {
    const over = client.next('response.done');
    client.say({ type: 'response.create', event_id: `r${at}` });
    await over;
  }
  const left = async (): Promise<number> => {
    const reply = await relay.send('/v1/chat/completions', chatBody({ model }));
    return Number(reply.headers['x-ratelimit-remaining-tokens']);
  };
  // Ten answers of 150 tokens each, and what this call and the session have reserved.
  const inSession = await left();
  expect(inSession).toBeGreaterThan(7_300);
  expect(inSession).toBeLessThan(8_000);
  client.socket.close();
  await client.closed;
  await expect.poll(left, patience).toBeGreaterThan(inSession + 400);
  expect(await left()).toBeLessThan(8_500);
});

test('a session that quota does not cover counts for nothing', async () => {
  const relay = await startWith((await startProvider(answering)).url);
  await relay.put.option('call_limits.users', '{"*":{"requests_per_minute":1}}');
  const { funds } = relay.leases;
  relay.leases.funds = 0;
  await expect(speak(relay)).rejects.toThrow('429');
  relay.leases.funds = funds;
  await speak(relay);
  await expect(speak(relay)).rejects.toThrow('429');
});
