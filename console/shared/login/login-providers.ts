import type { ComponentType } from 'react';
import type { PublicStatus } from '../status.ts';
import type { OAuthProvider } from './api.ts';
import { GitHubIcon, LinuxDoIcon, OidcIcon } from './provider-icons.tsx';

export type LoginProvider = Readonly<{
  provider: OAuthProvider;
  /** A proper name, the same in every language. */
  name: string;
  flag: 'github_oauth' | 'oidc_enabled' | 'linuxdo_oauth';
  Icon: ComponentType;
}>;

/** Providers that send the browser back, in the order of their buttons. */
export const loginProviders: readonly LoginProvider[] = [
  { provider: 'github', name: 'GitHub', flag: 'github_oauth', Icon: GitHubIcon },
  { provider: 'oidc', name: 'OIDC', flag: 'oidc_enabled', Icon: OidcIcon },
  { provider: 'linuxdo', name: 'Linux DO', flag: 'linuxdo_oauth', Icon: LinuxDoIcon },
];

export const hasThirdParty = (status: PublicStatus): boolean =>
  status.wechat_login || status.telegram_oauth || loginProviders.some(({ flag }) => status[flag]);
