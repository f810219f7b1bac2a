import { optionIsOn, optionText } from '../../domain/option/read.ts';
import type { OptionKey } from '../../domain/option/table.ts';
import type { LoginClient, OAuthProvider } from '../../infra/ports/logins.ts';
import type { Vault } from '../../infra/ports/vault.ts';
import { openSecret } from '../options/secret-option.ts';
import { serverAddress } from '../options/server-address.ts';
import type { SiteOptions } from '../options/site-options.ts';

type Deps = Readonly<{
  vault: Vault;
  options: SiteOptions;
}>;

type Keys = Readonly<{ on: OptionKey; id: OptionKey; secret: OptionKey }>;

const optionKeys: Readonly<Record<OAuthProvider, Keys>> = {
  github: {
    on: 'GitHubOAuthEnabled',
    id: 'GitHubClientId',
    secret: 'GitHubClientSecret',
  },
  oidc: { on: 'oidc.enabled', id: 'oidc.client_id', secret: 'oidc.client_secret' },
  linuxdo: {
    on: 'LinuxDOOAuthEnabled',
    id: 'LinuxDOClientId',
    secret: 'LinuxDOClientSecret',
  },
};

/** "" when the operator has not set it. */
export const secretOption = async ({ options, vault }: Deps, key: OptionKey): Promise<string> =>
  openSecret(vault, (await options.state()).secrets, key);

/**
 * This site as registered with the provider; null while the operator has the provider switched off.
 */
export const loginClient = async (
  deps: Deps,
  provider: OAuthProvider,
): Promise<LoginClient | null> => {
  const { options: stored } = await deps.options.state();
  const { on, id, secret } = optionKeys[provider];
  if (!optionIsOn(stored, on)) return null;
  const client = {
    clientId: optionText(stored, id),
    clientSecret: await secretOption(deps, secret),
    redirectUri: `${await serverAddress(deps.options)}/oauth/${provider}`,
  };
  if (provider !== 'oidc') return { provider, ...client };
  return {
    provider,
    ...client,
    wellKnown: optionText(stored, 'oidc.well_known'),
    authorizationEndpoint: optionText(stored, 'oidc.authorization_endpoint'),
    tokenEndpoint: optionText(stored, 'oidc.token_endpoint'),
    userInfoEndpoint: optionText(stored, 'oidc.user_info_endpoint'),
  };
};
