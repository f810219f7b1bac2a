import { createServer } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { aChannel, listen } from '../../tests/support/relay/relay-harness.ts';
import {
  answering,
  closeAll,
  closing,
  model,
  speak,
  startProvider,
  startWith,
} from '../../tests/support/relay/session-harness.ts';

afterEach(closeAll);

const put = (relay: Awaited<ReturnType<typeof startWith>>, id: number, more: object) =>
  relay.put.channel(aChannel(id, { models: [model], ...more }));

test('a session is opened on a channel that accepts sessions, though others precede it', async () => {
  const provider = await startProvider(answering);
  const relay = await startWith(provider.url);
  await put(relay, 2, { type: 14, priority: 9, baseUrl: provider.url });
  for (let turn = 0; turn < 3; turn += 1) (await speak(relay)).socket.close();
  expect(provider.seen.url).toContain(model);
});

/** Refuses every session for a minute, and counts them. */
const startBusy = async (): Promise<{ url: string; asked: number }> => {
  const seen = { url: '', asked: 0 };
  const server = createServer();
  server.on('upgrade', (_req, socket) => {
    seen.asked += 1;
    socket.end('HTTP/1.1 429 Busy\r\nretry-after: 60\r\ncontent-length: 0\r\n\r\n');
  });
  seen.url = `http://127.0.0.1:${await listen(server)}`;
  closing(() => void server.close());
  return seen;
};

test('no session is opened on a channel in cool-down', async () => {
  const provider = await startProvider(answering);
  const busy = await startBusy();
  const relay = await startWith(provider.url);
  await put(relay, 2, { priority: 9, baseUrl: busy.url });
  await relay.put.option('RetryTimes', '1');
  for (let turn = 0; turn < 4; turn += 1) (await speak(relay)).socket.close();
  expect(busy.asked).toBe(1);
});

test('a header of the channel goes up with the session', async () => {
  const provider = await startProvider(answering);
  const setting = '{"header_override":{"X-Team":"a"}}';
  const relay = await startWith(provider.url, {}, { setting });
  (await speak(relay)).socket.close();
  expect(provider.seen.headers['x-team']).toBe('a');
});
