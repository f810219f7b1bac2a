import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

type ReceivedMail = Readonly<{ to: readonly string[]; text: string }>;

export type MailServer = Readonly<{
  port: number;
  /** Oldest first. */
  received: readonly ReceivedMail[];
  /** Those that were used to sign in, oldest first. */
  passwords: readonly string[];
  close: () => Promise<void>;
}>;

/** Quoted-printable as mailers write it: soft line ends and `=XX` bytes. */
const decoded = (text: string): string =>
  Buffer.from(
    text
      .replace(/=\r?\n/g, '')
      .replace(/=([0-9A-F]{2})/g, (_, hex: string) =>
        String.fromCharCode(Number.parseInt(hex, 16)),
      ),
    'latin1',
  ).toString('utf8');

/** A real SMTP server on a free port of 127.0.0.1, which takes mail from anybody. */
export const startMailServer = async (): Promise<MailServer> => {
  const received: ReceivedMail[] = [];
  const passwords: string[] = [];
  const server = new SMTPServer({
    authOptional: true,
    hideSTARTTLS: true,
    onAuth: ({ username, password }, _, done) => {
      passwords.push(password ?? '');
      done(null, { user: username });
    },
    onData: (stream, { envelope }, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const to = envelope.rcptTo.map(({ address }) => address);
        received.push({ to, text: decoded(Buffer.concat(chunks).toString('latin1')) });
        done();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.server.address() as AddressInfo).port,
    received,
    passwords,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
};
