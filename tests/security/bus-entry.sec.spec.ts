import { connect as connectTcp } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createNatsBus } from '../../infra/bus/nats/create-nats-bus.ts';
import { type RoleNats, startRoleNats } from '../support/cluster/role-nats.ts';
import { type ClusterSecrets, makeClusterSecrets } from '../support/cluster/secrets.ts';
import { findNatsServer } from '../support/nats-server.ts';
import { silentLogger } from '../support/silent-logger.ts';

const available = await findNatsServer();

if (available.start === null) {
  test.skip(`entry to NATS (left out: ${available.reason})`, () => undefined);
} else {
  let secrets: ClusterSecrets;
  let nats: RoleNats;
  beforeAll(async () => {
    secrets = makeClusterSecrets();
    nats = await startRoleNats(secrets);
  });
  afterAll(async () => {
    await nats?.stop();
    secrets?.remove();
  });

  describe('entry to NATS', () => {
    const attempt = (url: string) =>
      createNatsBus({ url, logger: silentLogger, name: 'test', creates: false });

    test('a wrong password is refused at once, in one line without the password', async () => {
      const said = attempt(nats.urlOf('relay-0', { password: 'guessed-password' }));
      await expect(said).rejects.toThrow(
        /^configuration: NATS_URL: the server refuses the user relay-0 with this password$/,
      );
    });
    test('no client connects without a name', async () => {
      const said = attempt(`nats://127.0.0.1:${nats.port}?caFile=${secrets.caFile}`);
      await expect(said).rejects.toThrow(/NATS_URL: the server demands a user and a password/);
    });
    test('a client without the authority does not send its password', async () => {
      const url = new URL(nats.urlOf('relay-0'));
      url.searchParams.delete('caFile');
      await expect(attempt(url.href)).rejects.toThrow(/NATS_URL: .*certificate.*unknown authority/);
    });
    test('a server without TLS gets no password of one that demands it', async () => {
      const { start } = available;
      const plain = await start();
      const url = new URL(nats.urlOf('relay-0', { port: Number(new URL(plain.url).port) }));
      await expect(attempt(url.href)).rejects.toThrow(/NATS_URL: the server offers no TLS/);
      await plain.stop();
    });
    test('plain bytes are not served', async () => {
      const socket = connectTcp(nats.port, '127.0.0.1');
      const said = await new Promise<string>((resolve) => {
        let text = '';
        socket.on('data', (part: Buffer) => {
          text += part.toString('latin1');
          if (text.includes('INFO')) {
            socket.write('CONNECT {"verbose":true,"tls_required":false}\r\nPING\r\n');
          }
        });
        socket.on('close', () => resolve(text));
        socket.on('error', () => resolve(text));
      });
      expect(said).toContain('"tls_required":true');
      expect(said).not.toContain('PONG');
    });
  });
}
