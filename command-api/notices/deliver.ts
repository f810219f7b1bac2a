import { createHmac } from 'node:crypto';
import { optionText } from '../../domain/option/read.ts';
import { emailField } from '../../domain/shared/sealed.ts';
import type { Clock } from '../../infra/ports/clock.ts';
import type { Logger } from '../../infra/ports/logger.ts';
import type { Mail } from '../../infra/ports/mail.ts';
import type { Vault } from '../../infra/ports/vault.ts';
import type { Webhooks, WebhookWorker } from '../../infra/ports/webhooks.ts';
import type { CommandHandler } from '../commands/handle-command.ts';
import type { PersonalKeys } from '../identity/personal-keys.ts';
import { noticeLetter } from '../mail/letters.ts';
import { createPostOffice } from '../mail/post-office.ts';
import { openSecret } from '../options/secret-option.ts';
import type { SiteOptions } from '../options/site-options.ts';
import { type KnownUser, loadUser } from '../user/find-user.ts';
import { filled, type Notice } from './notice.ts';

type Deps = Readonly<{
  vault: Vault;
  clock: Clock;
  logger: Logger;
  mail: Mail;
  commands: CommandHandler;
  personalKeys: PersonalKeys;
  options: SiteOptions;
}>;

export type DeliveryNeeds = Deps & Readonly<{ webhooks: Webhooks }>;

/** The message of a webhook and its signature. */
export const webhookMessage = (
  { kind, title, content, values }: Notice,
  { secret, now }: Readonly<{ secret: string; now: Date }>,
) => {
  const body = JSON.stringify({
    type: kind,
    title,
    content,
    ...(values.length > 0 ? { values } : {}),
    timestamp: Math.floor(now.getTime() / 1_000),
  });
  const signature = createHmac('sha256', secret).update(body, 'utf8').digest('hex');
  const signed = { 'x-webhook-signature': signature, authorization: `Bearer ${secret}` };
  const headers = { 'content-type': 'application/json', ...(secret === '' ? {} : signed) };
  return { body, headers };
};

/** Brings a notice to a person the way they chose. */
export const createDelivery = (needs: DeliveryNeeds) => {
  const { clock, options, personalKeys, vault, webhooks } = needs;
  const post = createPostOffice(needs);

  const worker = async (): Promise<WebhookWorker | null> => {
    const { options: stored, secrets } = await options.state();
    const url = optionText(stored, 'WorkerUrl');
    return url === '' ? null : { url, key: openSecret(vault, secrets, 'WorkerValidKey') };
  };

  const byWebhook = async ({ userId, settings }: KnownUser, notice: Notice): Promise<void> => {
    if (!settings?.webhookUrl) return;
    const seal = await personalKeys.get(userId);
    const sealed = settings.webhookSecret;
    const secret = sealed === null || seal === null ? '' : seal.unseal(sealed, 'webhook-secret');
    const message = webhookMessage(notice, { secret, now: clock() });
    await webhooks.post({ url: settings.webhookUrl, ...message }, await worker());
  };

  /** @throws when the mail server does not take it; a site without mail, or no address, is no fault */
  const byMail = async ({ userId, settings, email }: KnownUser, notice: Notice): Promise<void> => {
    const own = settings?.notificationEmail ?? null;
    const field = own === null ? emailField : 'notification-email';
    const sealed = own ?? email;
    const seal = await personalKeys.get(userId);
    const to = sealed === null || seal === null ? '' : seal.unseal(sealed, field);
    if (to === '' || !(await post.isOpen())) return;
    const letter = noticeLetter({ title: notice.title, text: filled(notice) });
    const refused = await post.send({ to: to.replaceAll(';', ','), ...letter });
    if (refused !== null) throw new Error(refused.code);
  };

  /** @throws when it did not arrive, and may at another try */
  return async (notice: Notice): Promise<void> => {
    const user = await loadUser(needs, notice.to);
    if (user?.status !== 'active') return;
    await (user.settings?.notifyType === 'webhook' ? byWebhook : byMail)(user, notice);
  };
};
