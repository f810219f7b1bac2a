import { optionIsOn, optionNumber, optionText } from '../../domain/option/read.ts';
import { type Rejected, reject } from '../../domain/shared/decider.ts';
import type { MailMessage, MailServer } from '../../infra/ports/mail.ts';
import type { Services } from '../services.ts';
import { openSecret } from '../site/secret-option.ts';

/** On this port servers speak TLS from the first byte. */
const tlsPort = 465;

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : 'unknown';

type Refused = Rejected<'mail.not-configured' | 'mail.not-sent'>;

/** Sends through the server that the operator has set. */
export const createPostOffice = ({
  mail,
  options,
  vault,
  logger,
}: Pick<Services, 'mail' | 'options' | 'vault' | 'logger'>) => {
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
        // The words of the server may hold the address, which is nobody else's business.
        const { host, port } = through;
        logger.warn({ host, port, reason: codeOf(error) }, 'mail was not taken over');
        return reject('mail.not-sent');
      }
    },
  };
};
