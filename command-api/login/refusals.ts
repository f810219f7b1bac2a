import { type Rejected, reject } from '../../domain/shared/decider.ts';
import type { IdentityProvider } from '../../domain/user/events.ts';
import type { LoginFailure } from '../../infra/ports/logins.ts';
import type { RejectionCode } from '../http/rejection-messages.ts';
import type { External } from './identities.ts';

type Provider = Exclude<IdentityProvider, 'email'>;

/** As messages name them. */
const providerNames: Readonly<Record<Provider, string>> = {
  github: 'GitHub',
  oidc: 'OIDC',
  linuxdo: 'Linux DO',
  wechat: 'WeChat',
  telegram: 'Telegram',
};

export const takenRefusal = ({ provider }: External): Rejected<RejectionCode> =>
  provider === 'wechat'
    ? reject('login.wechat-taken')
    : reject('login.identity-taken', { provider: providerNames[provider] });

export const offRefusal = (provider: Provider): Rejected<RejectionCode> =>
  provider === 'wechat'
    ? reject('login.wechat-off')
    : reject('login.provider-off', { provider: providerNames[provider] });

const codes = {
  unreachable: 'login.unreachable',
  'not-configured': 'login.not-configured',
  token: 'login.token-failed',
  profile: 'login.profile-failed',
  empty: 'login.profile-empty',
} as const satisfies Record<LoginFailure['failure'], RejectionCode>;

export const failureRefusal = (
  provider: Provider,
  { failure }: LoginFailure,
): Rejected<RejectionCode> =>
  provider === 'github' && failure === 'empty'
    ? reject('login.github-profile-empty')
    : reject(codes[failure], { provider: providerNames[provider] });

export const isFailure = <T>(value: T | LoginFailure): value is LoginFailure =>
  typeof value === 'object' && value !== null && 'failure' in value;
