import { optionIsOn, optionNumber, optionText } from '../../domain/option/read.ts';
import { type Rejected, reject } from '../../domain/shared/decider.ts';
import type { Logger } from '../../infra/ports/logger.ts';
import type { Mail, MailMessage, MailServer } from '../../infra/ports/mail.ts';
import type { Vault } from '../../infra/ports/vault.ts';
import { openSecret } from '../options/secret-option.ts';
import type { SiteOptions } from '../options/site-options.ts';

export type PostOfficeDeps = Readonly<{
  vault: Vault;
  logger: Logger;
  mail: Mail;
  options: SiteOptions;
}>;

/** On this port servers use TLS from the first byte. */
const tlsPort = 465;

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : 'unknown';

type Refused = Rejected<'mail.not-configured' | 'mail.not-sent'>;

/** Sends through the server that the operator has set. */
export const createPostOffice = ({ mail, options, vault, logger }: PostOfficeDeps) => {
  const server = async (): Promise<MailServer | null> => {
    const { options: stored, secrets } = await options.state();
    const account = optionText(stored, 'SMTPAccount');
    const from = optionText(stored, 'SMTPFrom') || account;
    const host = optionText(stored, 'SMTPServer');
    if (host === '' || !from.includes('@')) return null;
    const port = optionNumber(stored, 'SMTPPort');
    return {
      host,
      port,
      tls: port === tlsPort || optionIsOn(stored, 'SMTPSSLEnabled'),
      account,
      password: openSecret(vault, secrets, 'SMTPToken'),
      from,
      senderName: optionText(stored, 'SystemName'),
    };
  };

  return {
    isOpen: async (): Promise<boolean> => (await server()) !== null,
    /** null: the server has taken it over. */
    async send(message: MailMessage): Promise<Refused | null> {
      const through = await server();
      if (through === null) return reject('mail.not-configured');
      try {
        await mail.send(message, through);
        return null;
      } catch (error) {
        // The words of the server may hold the address, which must not be logged.
        const { host, port } = through;
        logger.warn({ host, port, reason: codeOf(error) }, 'mail was not taken over');
        return reject('mail.not-sent');
      }
    },
  };
};
