import type { UserRow } from '../../../../projections/contract/user.ts';
import type { OAuthProvider } from '../../../shared/login/api.ts';
import { loginProviders } from '../../../shared/login/login-providers.ts';

const fieldOf = { github: 'github_id', oidc: 'oidc_id', linuxdo: 'linux_do_id' } as const;

/** What the account is called there; "" while nothing is bound. */
export const boundTo = (user: UserRow, provider: OAuthProvider): string => user[fieldOf[provider]];

/** Who signs in by another account may never have had a password. */
export const hasOtherWayIn = (user: UserRow): boolean =>
  user.wechat_id !== '' ||
  user.telegram_id !== '' ||
  loginProviders.some(({ provider }) => boundTo(user, provider) !== '');
