import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
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

/** Opens connections as fast as `everyMs` allows and sends a request on each; counts those that are reset. */
const clientCode = `
  const { connect } = require('node:net');
  const { parentPort, workerData: { port, everyMs } } = require('node:worker_threads');
  const counts = { answered: 0, reset: 0, refused: 0 };
  const timer = setInterval(() => {
    let isConnected = false;
    const socket = connect(port, '127.0.0.1', () => {
      isConnected = true;
      socket.write('GET / HTTP/1.1\\r\\nHost: relay\\r\\nConnection: close\\r\\n\\r\\n');
    });
    let isAnswered = false;
    socket.once('data', () => { isAnswered = true; counts.answered += 1; });
    socket.on('error', () => {
      if (isAnswered) return;
      counts[isConnected ? 'reset' : 'refused'] += 1;
    });
  }, everyMs);
  parentPort.once('message', () => {
    clearInterval(timer);
    setTimeout(() => parentPort.postMessage(counts), 300);
  });
`;

test('under a steady load the system resets hardly a connection that it had made before the stop', async () => {
  const counts = { answered: 0, refused: 0 };
  const resets: number[] = [];
  for (let stops = 0; stops < 5; stops += 1) {
    // A request takes some time of this thread, so that connections gather meanwhile.
    const server = createServer((_, res) => {
      const until = performance.now() + 3;
      while (performance.now() < until);
      res.end();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const worker = new Worker(clientCode, { eval: true, workerData: { port, everyMs: 6 } });
    await vi.waitFor(() => once(server, 'connection'));
    await sleep(300);
    const spun = performance.now() + 40;
    while (performance.now() < spun);
    await stopListening(server, 300);
    worker.postMessage('end');
    const [own] = (await once(worker, 'message')) as [typeof counts & { reset: number }];
    await worker.terminate();
    counts.answered += own.answered;
    resets.push(own.reset);
    counts.refused += own.refused;
  }
  expect(counts.answered).toBeGreaterThan(50);
  expect(counts.refused).toBeGreaterThan(50);
  // Where others keep the processor busy, connections gather faster than they are accepted: the calmest stop counts.
  expect(Math.min(...resets)).toBe(0);
});
