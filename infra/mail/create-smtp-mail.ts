import { createTransport } from 'nodemailer';
import type { Mail } from '../ports/mail.ts';

const connectTimeoutMs = 10_000;
const idleTimeoutMs = 20_000;

/**
 * Mail over SMTP, one connection for each message, as mails are rare. Certificates are verified: a
 * mail that grants access must not be read on its way.
 */
export const createSmtpMail = (): Mail => ({
  async send({ to, subject, html }, server) {
    const transport = createTransport({
      host: server.host,
      port: server.port,
      secure: server.tls,
      connectionTimeout: connectTimeoutMs,
      greetingTimeout: connectTimeoutMs,
      socketTimeout: idleTimeoutMs,
      // A password that was cleared with its server is not sent to another one.
      ...(server.account === '' || server.password === ''
        ? {}
        : { auth: { user: server.account, pass: server.password } }),
    });
    try {
      const from = { name: server.senderName, address: server.from };
      await transport.sendMail({ from, to, subject, html });
    } finally {
      transport.close();
    }
  },
});
