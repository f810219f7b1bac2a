import { optionIsOn, optionText } from '../../domain/option/read.ts';
import type { OptionKey } from '../../domain/option/table.ts';
import type { LoginClient, OAuthProvider } from '../../infra/ports/logins.ts';
import type { Services } from '../services.ts';
import { openSecret } from '../site/secret-option.ts';
import { serverAddress } from '../site/server-address.ts';

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

type Needs = Pick<Services, 'options' | 'vault'>;

/** "" when the operator has not set it. */
export const secretOption = async ({ options, vault }: Needs, key: OptionKey): Promise<string> =>
  openSecret(vault, (await options.state()).secrets, key);

/** This site as the provider knows it; null while the operator has the provider switched off. */
export const loginClient = async (
  services: Needs,
  provider: OAuthProvider,
): Promise<LoginClient | null> => {
  const { options: stored } = await services.options.state();
  const { on, id, secret } = optionKeys[provider];
  if (!optionIsOn(stored, on)) return null;
  const client = {
    clientId: optionText(stored, id),
    clientSecret: await secretOption(services, secret),
    redirectUri: `${await serverAddress(services.options)}/oauth/${provider}`,
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
