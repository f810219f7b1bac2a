import type { PersonalField } from '../../../domain/shared/sealed.ts';
import type { UserSettings } from '../../../domain/user/commands.ts';
import type { PersonalSeal } from '../../../infra/ports/vault.ts';
import type { UserSettingBody } from '../../contract/user.ts';

/** Webhooks carry balances, so they go over TLS only. */
export const settingsProblem = ({
  notify_type,
  webhook_url,
  notification_email,
}: UserSettingBody): 'user.webhook-not-https' | 'user.email-invalid' | null => {
  const isHttps = /^https:\/\/[^\s/]/i.test(webhook_url ?? '');
  if (notify_type === 'webhook' && !isHttps) return 'user.webhook-not-https';
  return notification_email && !notification_email.includes('@') ? 'user.email-invalid' : null;
};

/** Saved as a whole: the fields of the way that was not chosen are dropped. */
export const settingsFrom = (wire: UserSettingBody, { seal }: PersonalSeal): UserSettings => {
  const sealed = (text: string | null | undefined, field: PersonalField) =>
    text ? seal(text, field) : null;
  const isWebhook = wire.notify_type === 'webhook';
  return {
    notifyType: wire.notify_type,
    quotaWarningThreshold: Math.round(wire.quota_warning_threshold),
    webhookUrl: isWebhook ? (wire.webhook_url ?? '') : '',
    webhookSecret: isWebhook ? sealed(wire.webhook_secret, 'webhook-secret') : null,
    notificationEmail: isWebhook ? null : sealed(wire.notification_email, 'notification-email'),
    acceptUnsetModelRatioModel: wire.accept_unset_model_ratio_model ?? false,
  };
};
