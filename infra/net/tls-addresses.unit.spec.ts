import { once } from 'node:events';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { localhostCertificate, localhostKey } from '../../tests/support/localhost-certificate.ts';
import { allowTlsToAddresses, withoutAddressName } from './tls-addresses.ts';

const tls = createRequire(import.meta.url)('node:tls') as typeof import('node:tls');

test('a server that is named by its address is reached, and its certificate has to name the address', async () => {
  allowTlsToAddresses();
  allowTlsToAddresses();
  const server = createServer({ key: localhostKey, cert: localhostCertificate }, (socket) => {
    socket.on('error', () => undefined);
    socket.end();
  });
  onTestFinished(() => void server.close());
  server.listen(0);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const connectTo = async (servername: string) => {
    const socket = tls.connect({ host: 'localhost', port, servername, ca: localhostCertificate });
    const outcome = await Promise.race([
      once(socket, 'secureConnect').then(() => 'connected'),
      once(socket, 'error').then(([error]) => (error as NodeJS.ErrnoException).code),
    ]);
    socket.destroy();
    return outcome;
  };
  expect(await connectTo('127.0.0.1')).toBe('connected');
  expect(await connectTo('localhost')).toBe('connected');
});

test('an address replaces a missing host, and host names are sent unchanged', () => {
  expect(withoutAddressName({ servername: '10.0.0.7' })).toEqual({ host: '10.0.0.7' });
  expect(withoutAddressName({ servername: 'nats.internal', port: 1 })).toEqual({
    servername: 'nats.internal',
    port: 1,
  });
});
