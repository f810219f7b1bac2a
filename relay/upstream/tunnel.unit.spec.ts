import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { createServer as createRawServer } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { localhostCertificate, localhostKey } from '../../tests/support/localhost-certificate.ts';
import {
  type FakeProxy,
  startConnectProxy,
  startSocksProxy,
} from '../../tests/support/relay/fake-proxies.ts';
import {
  aChannel,
  chatBody,
  type Harness,
  listen,
  rawKey,
  sealedFor,
  startHarness,
} from '../../tests/support/relay/relay-harness.ts';
import { openSocket } from './socket.ts';

const model = 'gpt-4o-realtime-preview';
const closers: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
  vi.unstubAllEnvs();
});

const keep = async <T extends Readonly<{ close: () => void | Promise<void> }>>(
  made: Promise<T>,
): Promise<T> => {
  const thing = await made;
  closers.push(thing.close);
  return thing;
};

const sparkFrame = JSON.stringify({
  header: { code: 0, message: 'Success', sid: 'sid1', status: 2 },
  payload: {
    choices: { status: 2, seq: 0, text: [{ content: 'Hello', role: 'assistant', index: 0 }] },
    usage: { text: { prompt_tokens: 9, completion_tokens: 4, total_tokens: 13 } },
  },
});

/** Sends the greeting of a realtime session, and answers every request as Spark does. */
const startSockets = async (server = createServer()): Promise<number> => {
  const sockets = new WebSocketServer({ server });
  sockets.on('connection', (socket, req) => {
    if (req.url?.startsWith('/v1/realtime')) socket.send('{"type":"session.created"}');
    socket.on('message', () => {
      socket.send(sparkFrame);
      socket.close();
    });
  });
  closers.push(() => {
    for (const socket of sockets.clients) socket.terminate();
    server.close();
  });
  return listen(server);
};

const throughProxy = async (proxy: string, baseUrl: string): Promise<Harness> => {
  const relay = await keep(startHarness({ headersTimeoutMs: 300 }));
  const setting = JSON.stringify({ proxy });
  await relay.put.channel(aChannel(1, { models: [model], baseUrl, setting }));
  const spark = aChannel(2, { type: 18, models: ['gpt-4o-mini'], baseUrl, setting, other: 'v3.5' });
  await relay.put.channel({ ...spark, sealedKey: sealedFor(2, 'app|secret|key') });
  return relay;
};

/** The first words of a session, or the status with which it is refused. */
const openSession = ({ port }: Harness): Promise<string | number> =>
  new Promise((resolve) => {
    const headers = { authorization: `Bearer sk-${rawKey}` };
    const address = `ws://127.0.0.1:${port}/v1/realtime?model=${model}`;
    const socket = new WebSocket(address, ['realtime'], { headers });
    closers.push(() => socket.terminate());
    socket.on('message', (data) => resolve(String(data)));
    socket.on('error', () => {});
    socket.on('unexpected-response', (_req, res) => resolve(res.statusCode ?? 0));
  });

const startProxy = (kind: string, login: string): Promise<FakeProxy> =>
  keep(kind === 'http' ? startConnectProxy(login) : startSocksProxy(login));

test.each([
  ['http', ''],
  ['http', 'ada:p@ss'],
  ['socks5', ''],
  ['socks5h', 'ada:p@ss'],
])('sessions and Spark go through a proxy of %s, signed in as "%s"', async (kind, login) => {
  const proxy = await startProxy(kind, login);
  const port = await startSockets();
  const name = login === '' ? '' : `${login.split(':').map(encodeURIComponent).join(':')}@`;
  const target = kind === 'http' ? `provider.test:${port}` : `127.0.0.1:${port}`;
  const relay = await throughProxy(`${kind}://${name}127.0.0.1:${proxy.port}`, `http://${target}`);
  expect(await openSession(relay)).toContain('session.created');
  expect(proxy.tunnels).toEqual([target]);
  const reply = await relay.send('/v1/chat/completions', chatBody());
  expect(JSON.parse(reply.text)).toMatchObject({ choices: [{ message: { content: 'Hello' } }] });
  expect(proxy.tunnels).toEqual([target, target]);
  expect(proxy.refused).toEqual([]);
});

test('a name is resolved by the proxy, not here', async () => {
  const proxy = await keep(startSocksProxy());
  const port = await startSockets();
  const address = `socks://127.0.0.1:${proxy.port}`;
  const relay = await throughProxy(address, `http://provider.test:${port}`);
  expect(await openSession(relay)).toContain('session.created');
  expect(proxy.tunnels).toEqual([`provider.test:${port}`]);
});

test.each(['http', 'socks5'])(
  'a proxy of %s that refuses the password is a channel that cannot be reached',
  async (kind) => {
    const proxy = await startProxy(kind, 'ada:right');
    const port = await startSockets();
    const address = `${kind}://ada:wrong@127.0.0.1:${proxy.port}`;
    const relay = await throughProxy(address, `http://127.0.0.1:${port}`);
    expect(await openSession(relay)).toBe(502);
    expect((await relay.journal.failed(0)).errorCode).toBe('upstream_unreachable');
    const reply = await relay.send('/v1/chat/completions', chatBody());
    expect([reply.status, JSON.parse(reply.text).error.code]).toEqual([500, 'do_request_failed']);
    expect(reply.text).not.toContain('127.0.0.1');
    expect([proxy.tunnels.length, proxy.refused.length]).toEqual([0, 2]);
    expect(relay.leases.open).toBe(0);
  },
);

test.each(['http', 'socks5'])('a silent proxy of %s is not awaited', async (kind) => {
  const silent = createRawServer();
  const port = await listen(silent);
  closers.push(() => void silent.close());
  const address = `${kind}://127.0.0.1:${port}`;
  const relay = await throughProxy(address, 'http://127.0.0.1:1');
  expect(await openSession(relay)).toBe(502);
});

test('a proxy that hangs up, and an address that is no proxy, are named', async () => {
  const rude = createRawServer((socket) => socket.end());
  const port = await listen(rude);
  closers.push(() => void rude.close());
  const refusals = ['socks5', 'http', 'ftp'].map(async (kind) => {
    const proxy = `${kind}://127.0.0.1:${port}`;
    const asked = { url: 'ws://127.0.0.1:1/x', headers: {}, proxy, upstreamModel: model };
    const opened = await openSocket(asked, 5_000);
    return 'kind' in opened && opened.kind === 'connect' ? opened.error.message : '';
  });
  expect(await Promise.all(refusals)).toEqual([
    'Socket closed',
    'socket hang up',
    'the proxy supports neither HTTP nor SOCKS',
  ]);
});

test('a session with a certificate keeps it inside the tunnel', async () => {
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
  const names: string[] = [];
  const server = createSecureServer({
    key: localhostKey,
    cert: localhostCertificate,
    SNICallback: (name, done) => {
      names.push(name);
      done(null);
    },
  });
  const port = await startSockets(server);
  for (const kind of ['http', 'socks5']) {
    const proxy = await startProxy(kind, '');
    const address = `${kind}://127.0.0.1:${proxy.port}`;
    const relay = await throughProxy(address, `https://localhost:${port}`);
    expect(await openSession(relay)).toContain('session.created');
    expect(proxy.tunnels).toEqual([`localhost:${port}`]);
  }
  expect(names).toEqual(['localhost', 'localhost']);
});

test('an untrusted certificate is refused inside a tunnel too', async () => {
  const server = createSecureServer({ key: localhostKey, cert: localhostCertificate });
  const port = await startSockets(server);
  const proxy = await keep(startConnectProxy());
  const address = `http://127.0.0.1:${proxy.port}`;
  const relay = await throughProxy(address, `https://localhost:${port}`);
  expect(await openSession(relay)).toBe(502);
  await expect.poll(proxy.open).toBe(0);
});

test('a tunnel ends with its session', async () => {
  const proxy = await keep(startConnectProxy());
  const port = await startSockets();
  const address = `http://127.0.0.1:${proxy.port}`;
  const relay = await throughProxy(address, `http://127.0.0.1:${port}`);
  await openSession(relay);
  expect(proxy.open()).toBe(1);
  await relay.relay.stop();
  await expect.poll(proxy.open).toBe(0);
});
