import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createSmtpMail } from './create-smtp-mail.ts';

type Received = Readonly<{ user: string; from: string; to: string[]; text: string }>;

let server: SMTPServer;
let received: Received[];

beforeEach(async () => {
  received = [];
  server = new SMTPServer({
    hideSTARTTLS: true,
    onAuth: ({ username, password }, _, done) =>
      password === 'right' ? done(null, { user: username }) : done(new Error('wrong password')),
    onData: (stream, { user, envelope }, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const { mailFrom, rcptTo } = envelope;
        received.push({
          user: String(user),
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          text: Buffer.concat(chunks).toString('utf8'),
        });
        done();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(() => new Promise<void>((resolve) => server.close(() => resolve())));

const at = (password = 'right') => ({
  host: '127.0.0.1',
  port: (server.server.address() as AddressInfo).port,
  tls: false,
  account: 'desk@tollgate.test',
  password,
  from: 'desk@tollgate.test',
  senderName: 'Tollgate',
});
const letter = { to: 'ada@example.com', subject: 'Hello', html: '<p>code 1a2b3c</p>' };

test('a message reaches the server, signed in and addressed', async () => {
  await createSmtpMail().send(letter, at());
  expect(received).toHaveLength(1);
  expect(received[0]).toMatchObject({
    user: 'desk@tollgate.test',
    from: 'desk@tollgate.test',
    to: ['ada@example.com'],
  });
  expect(received[0]?.text).toContain('code 1a2b3c');
  expect(received[0]?.text).toContain('Tollgate');
});

test('a server that refuses or is not there rejects the message', async () => {
  await expect(createSmtpMail().send(letter, at('wrong'))).rejects.toThrow();
  const closedPort = { ...at(), port: 1 };
  await expect(createSmtpMail().send(letter, closedPort)).rejects.toThrow();
  expect(received).toEqual([]);
});

test('without a password the message is sent without signing in', async () => {
  await expect(createSmtpMail().send(letter, at(''))).rejects.toThrow(/auth/i);
  server.options.authOptional = true;
  await createSmtpMail().send(letter, at(''));
  expect(received).toMatchObject([{ user: 'undefined' }]);
});

test('no receivers or headers are added by a line break in an address', async () => {
  const forged = { ...letter, subject: 'Hi\r\nBcc: eve@example.com' };
  await createSmtpMail().send(forged, at());
  expect(received[0]?.to).toEqual(['ada@example.com']);
  expect(received[0]?.text).not.toMatch(/^Bcc:/m);
});
