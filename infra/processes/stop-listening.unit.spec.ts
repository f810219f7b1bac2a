import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect, test, vi } from 'vitest';
import { stopListening } from './stop-listening.ts';

const waitMs = 200;

const firstLine = async (socket: Socket): Promise<string> => {
  const [part] = (await once(socket, 'data')) as [Buffer];
  return part.toString().split('\r\n')[0] ?? '';
};

test('a connection that was accepted before the stop has its request served, and no new one is accepted', async () => {
  let isOpen = true;
  const server = createServer((_, res) => res.writeHead(isOpen ? 200 : 503).end());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const early = connect(port, '127.0.0.1');
  await once(server, 'connection');

  const stopped = stopListening(server, waitMs).then(() => {
    isOpen = false;
  });
  await vi.waitFor(() => expect(server.listening).toBe(false));
  early.write('GET / HTTP/1.1\r\nHost: relay\r\nConnection: close\r\n\r\n');
  expect(await firstLine(early)).toBe('HTTP/1.1 200 OK');

  const late = connect(port, '127.0.0.1');
  const [error] = (await once(late, 'error')) as [NodeJS.ErrnoException];
  expect(error.code).toBe('ECONNREFUSED');
  await stopped;
  expect(isOpen).toBe(false);
  early.destroy();
});
