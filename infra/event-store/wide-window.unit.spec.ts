import { once } from 'node:events';
import { createServer, type ServerHttp2Session } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { silentLogger } from '../../tests/support/silent-logger.ts';
import { createEventStore } from './create-event-store.ts';
import { windowBytes } from './wide-window.ts';

test('a store may have a megabyte of events on their way to a reader', async () => {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const store = createEventStore({
    url: `esdb://127.0.0.1:${port}?tls=false`,
    logger: silentLogger,
  });
  const connected = once(server, 'session') as Promise<[ServerHttp2Session]>;
  store.head().catch(() => undefined);
  const [session] = await connected;
  await once(session, 'remoteSettings');
  expect(session.remoteSettings.initialWindowSize).toBe(windowBytes);
  await expect.poll(() => session.state.remoteWindowSize).toBe(windowBytes);
  session.destroy();
  server.close();
  await store.close();
});
