import { createServer as createPlainServer, type IncomingMessage } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { localhostCertificate, localhostKey } from '../../tests/support/localhost-certificate.ts';
import { createWebhooks } from './create-webhooks.ts';

type Received = Readonly<{
  at: string;
  headers: IncomingMessage['headers'];
  body: string;
}>;
type Answering = Readonly<{ status?: number; location?: string }>;

const servers: Server[] = [];
afterEach(async () => {
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  servers.length = 0;
});

/** A real receiver of webhooks; answers as configured and keeps what it received. */
const startReceiver = async (
  given: Answering & Readonly<{ host?: string; port?: number; plain?: boolean }> = {},
) => {
  const { host = '127.0.0.1', port = 0, status = 204, location, plain } = given;
  const received: Received[] = [];
  const answer: Parameters<typeof createPlainServer>[1] = (request, reply) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8');
      received.push({ at: host, headers: request.headers, body });
      reply.writeHead(status, location === undefined ? {} : { location }).end();
    });
  };
  const server = plain
    ? createPlainServer(answer)
    : createServer({ key: localhostKey, cert: localhostCertificate }, answer);
  await new Promise<void>((resolve) => server.listen(port, host, resolve));
  servers.push(server);
  return { received, port: (server.address() as AddressInfo).port };
};

const near = { isAllowed: () => true, ca: localhostCertificate };
const call = (url: string) => ({ url, headers: { 'x-sign': 'abc' }, body: '{"type":"x"}' });

test('a webhook is posted over TLS with its headers, byte for byte', async () => {
  const { received, port } = await startReceiver();
  await createWebhooks(near).post(call(`https://localhost:${port}/hook`), null);
  expect(received).toMatchObject([{ headers: { 'x-sign': 'abc' }, body: '{"type":"x"}' }]);
});

test('a receiver that answers anything but success has not got it', async () => {
  const { port } = await startReceiver({ status: 500 });
  const sent = createWebhooks(near).post(call(`https://localhost:${port}/`), null);
  await expect(sent).rejects.toThrow('status 500');
});

test('a redirect leads nowhere', async () => {
  const target = await startReceiver();
  const location = `https://localhost:${target.port}/`;
  const { port } = await startReceiver({ status: 307, location });
  const sent = createWebhooks(near).post(call(`https://localhost:${port}/`), null);
  await expect(sent).rejects.toThrow('status 307');
  expect(target.received).toEqual([]);
});

test.each([
  'https://127.0.0.1:PORT/',
  'https://localhost:PORT/',
  'https://[::1]:PORT/',
  'https://[::ffff:127.0.0.1]:PORT/',
  'https://169.254.169.254/latest',
  'https://10.1.2.3/',
  'https://2130706433/',
])('%s is not on the open internet and is refused', async (address) => {
  const { received, port } = await startReceiver();
  const webhooks = createWebhooks({ ca: localhostCertificate });
  const sent = webhooks.post(call(address.replace('PORT', String(port))), null);
  await expect(sent).rejects.toThrow('not public');
  expect(received).toEqual([]);
});

test('plain HTTP is refused', async () => {
  const { received, port } = await startReceiver({ plain: true });
  const sent = createWebhooks(near).post(call(`http://127.0.0.1:${port}/`), null);
  await expect(sent).rejects.toThrow('https');
  expect(received).toEqual([]);
});

test('a name that changes its address after the check is called where it was checked', async () => {
  const checked = await startReceiver({ host: '127.0.0.1' });
  const other = await startReceiver({ host: '127.0.0.2', port: checked.port });
  let asked = 0;
  const resolve = ((_name: string, _options: object, done: (...found: unknown[]) => void) => {
    asked += 1;
    done(null, [{ address: asked === 1 ? '127.0.0.1' : '127.0.0.2', family: 4 }]);
  }) as never;
  const isAllowed = (address: string) => address === '127.0.0.1';
  const webhooks = createWebhooks({ isAllowed, resolve, ca: localhostCertificate });
  const url = `https://hook.test:${checked.port}/`;
  await webhooks.post(call(url), null);
  expect(asked).toBe(1);
  await expect(webhooks.post(call(url), null)).rejects.toThrow('not public');
  expect([checked.received.length, other.received.length]).toEqual([1, 0]);
});

test('a worker makes the call instead', async () => {
  const { received, port } = await startReceiver({ plain: true });
  const worker = { url: `http://127.0.0.1:${port}`, key: 'let me' };
  await createWebhooks().post(call('https://hooks.example.com/x'), worker);
  expect(JSON.parse(received[0]?.body ?? '')).toEqual({
    url: 'https://hooks.example.com/x',
    key: 'let me',
    method: 'POST',
    headers: { 'x-sign': 'abc' },
    body: { type: 'x' },
  });
  const sent = createWebhooks().post(call('http://hooks.example.com/x'), worker);
  await expect(sent).rejects.toThrow('https');
});
