import type { Language } from '../../domain/access/language.ts';
import type { AccountRejection } from '../../domain/account/commands.ts';
import type { ChannelRejection } from '../../domain/channel/decider.ts';
import type { RedemptionRejection } from '../../domain/redemption/decider.ts';
import type { SiteRejection } from '../../domain/site/decider.ts';
import type { TokenRejection } from '../../domain/token/decider.ts';
import type { TopUpRejection } from '../../domain/topup/decider.ts';
import type { UserRejection } from '../../domain/user/decider.ts';
import { type BilingualText, sharedRefusalTexts } from '../../infra/web/refusal-texts.ts';
import type { HandlerRejection } from '../commands/command-result.ts';
import { accountMessages } from './messages/account.ts';
import { channelFieldNames, channelMessages } from './messages/channel.ts';
import { jobMessages } from './messages/job.ts';
import { loginMessages } from './messages/login.ts';
import { mailMessages } from './messages/mail.ts';
import { optionMessages } from './messages/option.ts';
import { requestMessages } from './messages/request.ts';
import { tokenMessages } from './messages/token.ts';
import { topUpMessages } from './messages/topup.ts';
import { userMessages } from './messages/user.ts';

/** Codes that routes and the guard return in addition to those of the deciders. */
export type RouteRejection =
  | keyof typeof sharedRefusalTexts
  | 'request.invalid'
  | 'request.too-many'
  | 'request.not-json'
  | 'system.fault'
  | 'system.unavailable'
  | 'auth.password-login-off'
  | 'auth.wrong-credentials'
  | 'auth.too-many-attempts'
  | 'auth.second-factor-required'
  | 'auth.password-required'
  | 'auth.second-factor-wrong'
  | 'auth.second-factor-expired'
  | 'auth.session-needed'
  | 'user.totp-code-wrong'
  | 'user.confirmation-wrong'
  | 'user.passkey-not-verified'
  | 'user.passkey-no-address'
  | 'setup.username-required'
  | 'setup.username-invalid'
  | 'setup.in-progress'
  | 'user.name-taken'
  | 'user.name-invalid'
  | 'user.name-invisible'
  | 'user.name-lookalike'
  | 'user.password-mismatch'
  | 'user.password-too-short'
  | 'user.password-unchanged'
  | 'user.password-too-long'
  | 'user.password-blank'
  | 'user.password-common'
  | 'user.wrong-password'
  | 'user.registration-off'
  | 'user.password-registration-off'
  | 'user.email-code-needed'
  | 'user.email-invalid'
  | 'user.email-domain-not-allowed'
  | 'user.email-alias-not-allowed'
  | 'user.email-taken'
  | 'user.email-unknown'
  | 'user.email-code-wrong'
  | 'user.reset-link-invalid'
  | 'mail.not-configured'
  | 'mail.not-sent'
  | 'human.token-missing'
  | 'human.not-proven'
  | 'human.check-unavailable'
  | 'user.webhook-not-https'
  | 'user.transfer-too-small'
  | 'token.expiry-in-past'
  | 'token.group-not-usable'
  | 'channel.key-required'
  | 'channel.key-form'
  | 'channel.test-unsupported'
  | 'channel.test-running'
  | 'channel.no-relay'
  | 'channel.balance-unsupported'
  | 'channel.balance-not-read'
  | 'channel.models-not-fetched'
  | 'redemption.code-required'
  | 'topup.invalid-request'
  | 'topup.not-configured'
  | 'topup.not-created'
  | 'topup.provider-refused'
  | 'topup.provider-unavailable'
  | 'job.unknown'
  | 'job.running'
  | 'login.state-invalid'
  | 'login.foreign-page'
  | 'login.provider-off'
  | 'login.wechat-off'
  | 'login.not-configured'
  | 'login.code-missing'
  | 'login.provider-refused'
  | 'login.unreachable'
  | 'login.token-failed'
  | 'login.profile-failed'
  | 'login.profile-empty'
  | 'login.github-profile-empty'
  | 'login.identity-taken'
  | 'login.wechat-taken'
  | 'login.wechat-code-wrong'
  | 'login.telegram-invalid'
  | 'login.telegram-unbound'
  | 'login.discovery-failed'
  | 'correction.unknown-movement';

export type RejectionCode =
  | AccountRejection
  | ChannelRejection
  | HandlerRejection
  | RedemptionRejection
  | RouteRejection
  | SiteRejection
  | TokenRejection
  | TopUpRejection
  | UserRejection;

/** A new code stops the build until it has a message in both languages; `{name}` is a value of its details. */
export const rejectionMessages = {
  ...sharedRefusalTexts,
  ...accountMessages,
  ...channelMessages,
  ...jobMessages,
  ...loginMessages,
  ...mailMessages,
  ...optionMessages,
  ...requestMessages,
  ...tokenMessages,
  ...topUpMessages,
  ...userMessages,
} satisfies Readonly<Record<RejectionCode, BilingualText>>;

export type Refusal = Readonly<{
  code: RejectionCode;
  details?: Readonly<Record<string, string | number>>;
}>;

/** Values of a detail that have a name in each language. */
const valueNames: Readonly<Record<string, Readonly<Record<string, BilingualText>>>> = {
  field: channelFieldNames,
};

export const messageOf = ({ code, details }: Refusal, language: Language): string =>
  rejectionMessages[code][language].replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(details?.[name] ?? '');
    return valueNames[name]?.[value]?.[language] ?? value;
  });
