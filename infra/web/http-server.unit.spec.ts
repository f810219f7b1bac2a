import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { eventually } from '../../tests/support/product.ts';
import { answersIn, askRaw, openRaw } from '../../tests/support/raw-http.ts';
import { createHttpServer, type ServerLimits } from './http-server.ts';

const roomy: ServerLimits = {
  headersTimeoutMs: 10_000,
  bodyIdleTimeoutMs: 10_000,
  requestTimeoutMs: 10_000,
  maxConnections: 1_000,
  maxConnectionsPerAddress: 1_000,
  trustedProxies: [],
};

type Handle = (req: IncomingMessage, res: ServerResponse) => void;

const pathOf: Handle = (req, res) => {
  res.end(req.url);
};

let server: Server | null = null;
afterEach(() => {
  server?.close();
  server?.closeAllConnections();
});

const start = async (handle: Handle, limits: Partial<ServerLimits> = {}) => {
  const own = createHttpServer({ limits: { ...roomy, ...limits }, handle });
  server = own;
  await new Promise<void>((resolve) => own.listen(0, '127.0.0.1', () => resolve()));
  return { port: (own.address() as AddressInfo).port };
};

const get = (path: string, ...headers: readonly string[]): string =>
  [`GET ${path} HTTP/1.1`, 'Host: x', ...headers, '', ''].join('\r\n');

/** The requests of a separate connection, and the answers. */
const bodyOf = async (at: { port: number }, request: string): Promise<string | undefined> =>
  (await askRaw(at, request, 2_000))[0]?.body;

const close = 'Connection: close';

const refuse: Handle = (_, res) => {
  res.writeHead(401, { connection: 'close', 'content-length': 2 });
  res.end('no');
};

/** Writes a whole body before it reads anything, as blocking clients do. */
const uploadBlindly = async (at: { port: number }, bytes: number) => {
  const connection = await openRaw(at);
  connection.socket.pause();
  connection.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${bytes}\r\n\r\n`);
  const piece = Buffer.alloc(64 * 1024);
  for (let sent = 0; sent < bytes; sent += piece.length) {
    const rest = piece.subarray(0, Math.min(piece.length, bytes - sent));
    if (connection.isClosed() || connection.socket.write(rest)) continue;
    await Promise.race([
      new Promise<void>((resolve) => connection.socket.once('drain', () => resolve())),
      connection.closed,
    ]);
  }
  connection.socket.resume();
  await Promise.race([connection.closed, pause(5_000)]);
  return answersIn(connection.received());
};

test.each([1_024, 300_000, 20_000_000])(
  'a refusal reaches a client that sends %i bytes before it reads',
  async (bytes) => {
    const at = await start(refuse);
    for (let nth = 0; nth < 4; nth += 1) {
      expect(await uploadBlindly(at, bytes)).toMatchObject([{ status: 401, body: 'no' }]);
    }
  },
);

test('a client that keeps sending after a refusal is cut off in the end', async () => {
  const at = await start(refuse);
  const connection = await openRaw(at);
  connection.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 999999999\r\n\r\n');
  await connection.settled();
  expect(answersIn(connection.received())).toMatchObject([{ status: 401 }]);
  await connection.closed;
}, 10_000);

test('a body that stops coming ends its connection, a slow handler does not', async () => {
  const at = await start(
    (req, res) => {
      req.resume();
      req.on('end', () => setTimeout(() => res.end('slow'), 1_200));
    },
    { bodyIdleTimeoutMs: 400 },
  );
  const [stalled] = await askRaw(
    at,
    'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nhalf',
    5_000,
  );
  expect(stalled?.status).toBe(408);
  expect(await bodyOf(at, get('/', close))).toBe('slow');
});

test('half a head ends its connection', async () => {
  const at = await start(pathOf, { headersTimeoutMs: 100 });
  const connection = await openRaw(at);
  connection.write('GET / HTTP/1.1\r\nHos');
  await connection.closed;
});

test('silent connections make room for one with a request', async () => {
  const at = await start(pathOf, { maxConnections: 20 });
  const silent = await Promise.all(Array.from({ length: 60 }, () => openRaw(at)));
  expect(await bodyOf(at, get('/a', close))).toBe('/a');
  await eventually(async () =>
    expect(silent.filter((one) => !one.isClosed()).length).toBeLessThanOrEqual(20),
  );
  for (const one of silent) one.close();
});

test('one address cannot take the connections of another', async () => {
  const at = await start((req, res) => (req.url === '/held' ? undefined : res.end('ok')), {
    maxConnections: 12,
    maxConnectionsPerAddress: 8,
  });
  const held = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const one = await openRaw({ ...at, localAddress: '127.0.0.2' });
      one.write(get('/held'));
      return one;
    }),
  );
  await eventually(async () => expect(held.filter((one) => !one.isClosed()).length).toBe(8));
  expect(await bodyOf(at, get('/', close))).toBe('ok');
  for (const one of held) one.close();
});

test('a trusted proxy may have as many connections as all', async () => {
  const limits = { maxConnectionsPerAddress: 2, trustedProxies: ['127.0.0.1'] };
  const at = await start((req, res) => (req.url === '/held' ? undefined : res.end('ok')), limits);
  const held = await Promise.all(Array.from({ length: 20 }, () => openRaw(at)));
  for (const one of held) one.write(get('/held'));
  await pause(50);
  expect(held.filter((one) => one.isClosed())).toEqual([]);
  for (const one of held) one.close();
});

test('requests of one connection are answered one by one, in their order', async () => {
  let running = 0;
  let most = 0;
  const at = await start((req, res) => {
    running += 1;
    most = Math.max(most, running);
    setTimeout(() => {
      running -= 1;
      res.end(req.url);
    }, 5);
  });
  const row = Array.from({ length: 9 }, (_, nth) => get(`/${nth}`)).join('');
  const answers = await askRaw(at, row + get('/9', close));
  expect(answers.map(({ body }) => body)).toEqual(
    ['0123456789'].flatMap((all) => [...all].map((c) => `/${c}`)),
  );
  expect(most).toBe(1);
});

test('a handler is informed of every request that it was given when the client leaves', async () => {
  let begun = 0;
  let ended = 0;
  const at = await start((_, res) => {
    begun += 1;
    res.on('close', () => {
      ended += 1;
    });
  });
  const connection = await openRaw(at);
  connection.write(get('/').repeat(5));
  await eventually(async () => expect(begun).toBe(1));
  connection.close();
  await eventually(async () => expect([begun, ended]).toEqual([1, 1]));
});

test('a connection that sends more requests than it waits for is closed', async () => {
  const at = await start(() => undefined);
  const connection = await openRaw(at);
  connection.write(get('/').repeat(100));
  await connection.closed;
});

test.each([
  ['GET http://other/a?b HTTP/1.1', '/a?b other'],
  ['GET HTTP://other?b HTTP/1.1', '/?b other'],
  ['GET http://other HTTP/1.1', '/ other'],
])('an address in absolute form is its path: %s', async (line, expected) => {
  const at = await start((req, res) => res.end(`${req.url} ${req.headers.host}`));
  expect(await bodyOf(at, `${line}\r\nHost: x\r\n${close}\r\n\r\n`)).toBe(expected);
});

test('chunks of HTTP/1.0 are refused, as others may have read them differently', async () => {
  const at = await start(pathOf);
  const head = 'POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\nConnection: keep-alive\r\n\r\n';
  const answers = await askRaw(at, `${head}0\r\n\r\n${get('/second')}`, 2_000);
  expect(answers).toMatchObject([{ status: 400 }]);
});

test('a websocket where there is none is refused, every other upgrade passed over', async () => {
  const at = await start(pathOf);
  const ask = (name: string) => get('/a', 'Connection: Upgrade, close', `Upgrade: ${name}`);
  expect(await askRaw(at, ask('websocket'))).toMatchObject([{ status: 404 }]);
  expect(await askRaw(at, ask('h2c'))).toMatchObject([{ status: 200, body: '/a' }]);
});
