import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import {
  type BatchHarness,
  chatLine,
  startBatchHarness,
} from '../../../tests/support/relay/batch-harness.ts';
import { aChannel, aToken, rawKey } from '../../../tests/support/relay/relay-harness.ts';

type Upload = Readonly<{
  res: ServerResponse;
  /** Until it broke off, or its last byte has arrived. */
  came: Promise<'whole' | 'broken'>;
  first: Promise<unknown>;
}>;

let relay: BatchHarness;
let provider: Server;
let nextUpload: (upload: Upload) => void = () => undefined;
const aNextUpload = (): Promise<Upload> =>
  new Promise((resolve) => {
    nextUpload = resolve;
  });

const take = (req: IncomingMessage, res: ServerResponse): void => {
  const came = new Promise<'whole' | 'broken'>((resolve) => {
    req.on('end', () => resolve('whole'));
    req.on('close', () => resolve('broken'));
    req.on('error', () => resolve('broken'));
  });
  nextUpload({ res, came, first: once(req, 'data') });
};

beforeAll(async () => {
  relay = await startBatchHarness();
  provider = createServer(take);
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
  const { port } = provider.address() as AddressInfo;
  const baseUrl = `http://127.0.0.1:${port}`;
  await relay.put.channel(aChannel(1, { type: 1, models: ['gpt-4o-mini'], baseUrl }));
  await relay.put.token(rawKey, aToken({ limits: { concurrentRequests: 1 } }));
});
afterAll(async () => {
  await relay.close();
  provider.closeAllConnections();
  provider.close();
});
afterEach(() => {
  relay.journal.outcomes.splice(0);
});

const boundary = 'b0undary';
const field = (head: string, text: string) =>
  `--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n\r\n${text}`;
const head = field('name="purpose"', 'batch\r\n');
const lines = Array.from({ length: 200 }, (_, at) => `${chatLine(`${at}`)}\n`).join('');
const form = `${head}${field('name="file"; filename="work.jsonl"', lines)}\r\n--${boundary}--\r\n`;

/** Sends this much of a form. */
const upload = (part: string): Socket => {
  const socket = connect(relay.port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(
    `POST /v1/files HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer sk-${rawKey}\r\n` +
      `Content-Type: multipart/form-data; boundary=${boundary}\r\n` +
      `Content-Length: ${Buffer.byteLength(form)}\r\n\r\n${part}`,
  );
  return socket;
};

test('a caller who leaves in the middle of a file ends it there, pays nothing and keeps nothing', async () => {
  const asked = aNextUpload();
  const socket = upload(form.slice(0, form.length - 9_000));
  const { first, came } = await asked;
  await first;
  const closed = relay.nextClose();
  socket.destroy();
  await closed;
  expect(await came).toBe('broken');
  expect(relay.journal.outcomes).toEqual([]);
  expect(relay.leases.open).toBe(0);
  expect((await relay.client.files.list()).data).toEqual([]);
  // The one call at a time that the token has is free again.
  const again = aNextUpload();
  const next = upload(form);
  const second = await again;
  expect(await second.came).toBe('whole');
  second.res.writeHead(500).end();
  await once(next, 'data');
  next.destroy();
});

test('a caller who leaves when his file is up finds it in his list', async () => {
  const asked = aNextUpload();
  const socket = upload(form);
  const { res, came } = await asked;
  expect(await came).toBe('whole');
  const closed = relay.nextClose();
  socket.destroy();
  await closed;
  res.writeHead(200, { 'content-type': 'application/json' }).end('{"id":"file-late"}');
  const { task } = await relay.journal.used();
  expect(task?.outcome).toMatchObject({ upstreamId: 'file-late', quota: 0 });
  const { data } = await relay.client.files.list();
  expect(data).toMatchObject([{ filename: 'work.jsonl', purpose: 'batch' }]);
});
