import { Worker } from 'node:worker_threads';
import { afterEach, expect, test } from 'vitest';
import {
  localhostCertificate,
  localhostKey,
} from '../../../tests/support/localhost-certificate.ts';
import { UpstreamCall } from '../call.ts';
import { ReadingTurns } from '../reading-turns.ts';
import { HttpClient } from './http-client.ts';

/**
 * A provider on a separate thread: it answers while the thread of the client does something else.
 */
const providerCode = `
const { parentPort, workerData } = require('node:worker_threads');
const { createServer } = require('node:https');
const shared = new Int32Array(workerData.shared);
const answer = (req, res) => {
  req.resume();
  req.on('end', () =>
    res.end('{}', () => {
      Atomics.add(shared, 0, 1);
      Atomics.notify(shared, 0);
    }),
  );
};
const server = createServer({ key: workerData.key, cert: workerData.cert }, answer);
server.on('secureConnection', () => Atomics.add(shared, 1, 1));
server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
`;

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

const startProvider = async () => {
  const shared = new Int32Array(new SharedArrayBuffer(8));
  const workerData = { shared: shared.buffer, key: localhostKey, cert: localhostCertificate };
  const worker = new Worker(providerCode, { eval: true, workerData });
  closers.push(() => worker.terminate());
  const port = await new Promise<number>((resolve) => worker.once('message', resolve));
  return {
    origin: `https://localhost:${port}`,
    answers: () => Atomics.load(shared, 0),
    connections: () => Atomics.load(shared, 1),
    /** Blocks this thread until that answer was sent. */
    awaitAnswer: (count: number) => Atomics.wait(shared, 0, count - 1, 10_000),
  };
};

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('an answer that is there before the system has reported the request as sent keeps its connection', async () => {
  const provider = await startProvider();
  const times = { connectMs: 10_000, headMs: 10_000, idleMs: 10_000 };
  const client = new HttpClient(times, { ca: localhostCertificate });
  closers.push(() => client.close());
  const ask = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const listener = { onHead: () => {}, onData: () => true, onEnd: resolve };
      const onFailure = ({ error }: { error: { message: string } }) =>
        reject(new Error(error.message));
      const call = new UpstreamCall({ ...listener, onFailure }, new ReadingTurns());
      const request = { path: '/v1/chat/completions', headers: [], body: Buffer.from('{}') };
      client.send(
        { ...request, origin: provider.origin, proxy: '', upstreamModel: '', addedUsage: false },
        call,
        1,
      );
    });
  await ask();
  await turn();
  // Connections that are used again are written in the second turn of the loop from here.
  for (let count = 2; count <= 6; count += 1) {
    const over = ask();
    await turn();
    setImmediate(() => provider.awaitAnswer(count));
    await over;
    await turn();
  }
  // The provider counts an answer after it has sent it.
  provider.awaitAnswer(6);
  expect(provider.answers()).toBe(6);
  expect(provider.connections()).toBe(1);
});
