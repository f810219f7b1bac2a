import { connect, type Socket } from 'node:net';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  aChannel,
  anAccount,
  aToken,
  chatBody,
  type Harness,
  rawKey,
  startHarness,
} from '../support/relay/relay-harness.ts';

/** A provider on a thread of its own that writes short events as fast as they are read. */
const providerCode = `
const { parentPort } = require('node:worker_threads');
const { createServer } = require('node:http');
const event = 'data: {"id":"c","choices":[{"index":0,"delta":{"content":"words "}}]}\\n\\n';
const piece = Buffer.from(event.repeat(1000));
const server = createServer((req, res) => {
  req.resume();
  req.on('end', () => {
    res.writeHead(200, { 'content-type': 'text/event-stream' });
    const more = () => { while (!res.destroyed && res.write(piece)); };
    res.on('drain', more);
    more();
  });
});
server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
`;

const otherKey = 'j'.repeat(48);
const streams = 40;
const mib = 1_048_576;

let relay: Harness;
let provider: Worker;
let sockets: Socket[];

beforeEach(async () => {
  sockets = [];
  provider = new Worker(providerCode, { eval: true });
  const port = await new Promise<number>((resolve) => provider.once('message', resolve));
  relay = await startHarness({ drainMs: 0 });
  await relay.put.channel(aChannel(1, { baseUrl: `http://127.0.0.1:${port}` }));
  await relay.put.account(anAccount({ userId: 8 }));
  await relay.put.token(otherKey, aToken({ tokenId: 6, userId: 8 }));
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await relay.close();
  await provider.terminate();
});

/** A caller who reads as fast as he can; how many bytes he got. */
const fastCaller = (): Readonly<{ firstBytes: Promise<void>; bytes: () => number }> => {
  const body = chatBody({ stream: true });
  const socket = connect(relay.port, '127.0.0.1');
  sockets.push(socket);
  socket.on('error', () => {});
  let bytes = 0;
  const firstBytes = new Promise<void>((resolve) => {
    socket.on('data', ({ length }) => {
      bytes += length;
      resolve();
    });
  });
  socket.write(
    `POST /v1/chat/completions HTTP/1.1\r\nhost: relay\r\nauthorization: Bearer ${rawKey}\r\n` +
      `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  );
  return { firstBytes, bytes: () => bytes };
};

test('fast streams of one user pass little more than a share while another user is served', async () => {
  const callers = Array.from({ length: streams }, fastCaller);
  await Promise.all(callers.map(({ firstBytes }) => firstBytes));
  const passed = (): number => callers.reduce((sum, { bytes }) => sum + bytes(), 0);
  const shares: number[] = [];
  for (let at = 0; at < 10; at += 1) {
    const before = passed();
    const reply = await relay.get('/v1/models', { authorization: `Bearer ${otherKey}` });
    expect(reply.status).toBe(200);
    shares.push(passed() - before);
  }
  // They go on, all of them, and no call of the other user waits for a read of each.
  expect(passed()).toBeGreaterThan(mib);
  shares.sort((one, other) => one - other);
  expect(shares[5]).toBeLessThan(2 * mib);
});
