import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  Configuration,
  type CustomFetch,
  calculatePKCECodeChallenge,
  clockTolerance,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  None,
  ResponseBodyError,
  type ServerMetadata,
} from 'openid-client';
import { z } from 'zod';
import type {
  LoginAttempt,
  LoginFailure,
  LoginProfile,
  LoginReturn,
  OidcClient,
  OidcEndpoints,
} from '../ports/logins.ts';
import type { BoundedFetch } from './bounded-fetch.ts';
import { failed, isFailure, reasonOf } from './failure.ts';

const timeoutSeconds = 5;
/** Clocks of two machines differ a little. */
const toleratedSeconds = 60;
/** Keys and addresses of a provider may change; a restart is not needed for that. */
const keptMs = 10 * 60 * 1_000;

const claims = z.object({
  sub: z.string().min(1).max(255),
  email: z.string().min(1),
  email_verified: z.union([z.boolean(), z.string()]).optional(),
  name: z.string().optional(),
  preferred_username: z.string().optional(),
});

const isWeb = (address: string | undefined): address is string =>
  address !== undefined && URL.canParse(address) && /^https?:$/.test(new URL(address).protocol);

/** Form fields where the provider supports them, else Basic; public clients send no secret. */
const authOf = ({ clientSecret }: OidcClient, server: ServerMetadata): ClientAuth => {
  if (clientSecret === '') return None();
  const known = server.token_endpoint_auth_methods_supported ?? ['client_secret_post'];
  const takesForm = known.includes('client_secret_post');
  return takesForm ? ClientSecretPost(clientSecret) : ClientSecretBasic(clientSecret);
};

/** Timeouts and refused connections; everything else is the provider's own doing. */
const isNetwork = (error: unknown): boolean =>
  error instanceof Error &&
  (/^(Timeout|Abort)Error$/.test(error.name) ||
    (error instanceof TypeError && error.message === 'fetch failed') ||
    ('code' in error && /^OAUTH_(TIMEOUT|ABORT)$/.test(String(error.code))) ||
    isNetwork(error.cause));

const orFailure = async <T>(
  failure: LoginFailure['failure'],
  ask: () => Promise<T>,
): Promise<T | LoginFailure> => {
  try {
    return await ask();
  } catch (error) {
    if (isNetwork(error)) return failed('unreachable', reasonOf(error));
    const code = error instanceof ResponseBodyError ? `${error.error}: ` : '';
    return failed(failure, code + reasonOf(error));
  }
};

/**
 * Any OpenID Connect provider: code flow with PKCE, state and nonce. The ID token is verified by
 * the provider's published keys, though it is received directly from it.
 */
export const createOidc = (bounded: BoundedFetch, now: () => number = Date.now) => {
  const fetch: CustomFetch = (url, { body, method, headers }) =>
    bounded(url, { method, headers, ...(body == null ? {} : { body: body as BodyInit }) });
  let kept: Readonly<{ key: string; until: number; config: Configuration }> | null = null;

  const found = (wellKnown: string): Promise<ServerMetadata | LoginFailure> =>
    orFailure('not-configured', async () => {
      const url = new URL(wellKnown);
      const options = { [customFetch]: fetch, timeout: timeoutSeconds };
      const insecure = url.protocol === 'http:' ? { execute: [allowInsecureRequests] } : {};
      const config = await discovery(url, 'discovery', undefined, None(), {
        ...options,
        ...insecure,
      });
      return config.serverMetadata();
    });

  /** Addresses that the operator typed in count before those of the document. */
  const metadataFor = (client: OidcClient, server: ServerMetadata): ServerMetadata => {
    const { authorization_response_iss_parameter_supported: _, ...plain } = server;
    const authorization = client.authorizationEndpoint || server.authorization_endpoint;
    const token = client.tokenEndpoint || server.token_endpoint;
    const userInfo = client.userInfoEndpoint || server.userinfo_endpoint;
    return {
      ...plain,
      ...(authorization === undefined ? {} : { authorization_endpoint: authorization }),
      ...(token === undefined ? {} : { token_endpoint: token }),
      ...(userInfo === undefined ? {} : { userinfo_endpoint: userInfo }),
    };
  };

  const configured = async (client: OidcClient): Promise<Configuration | LoginFailure> => {
    if (!isWeb(client.wellKnown)) return failed('not-configured', 'no discovery address');
    const key = JSON.stringify(client);
    if (kept?.key === key && now() < kept.until) return kept.config;
    const server = await found(client.wellKnown);
    if (isFailure(server)) return server;
    const metadata = metadataFor(client, server);
    const addresses = [metadata.authorization_endpoint, metadata.token_endpoint, metadata.jwks_uri];
    if (!addresses.every(isWeb)) return failed('not-configured', 'an endpoint is missing');
    const auth = authOf(client, server);
    const known = { [clockTolerance]: toleratedSeconds };
    const config = new Configuration(metadata, client.clientId, known, auth);
    config[customFetch] = fetch;
    config.timeout = timeoutSeconds;
    if (new URL(client.wellKnown).protocol === 'http:') allowInsecureRequests(config);
    enableNonRepudiationChecks(config);
    kept = { key, until: now() + keptMs, config };
    return config;
  };

  const profileFrom = (received: unknown): LoginProfile | LoginFailure => {
    const known = claims.safeParse(received);
    if (!known.success) return failed('empty', 'no sub or no email');
    const { sub, email, email_verified, name, preferred_username } = known.data;
    // Some providers write it as text. One that leaves it out vouches for nothing.
    const isProven = email_verified === true || email_verified === 'true';
    return {
      externalId: sub,
      label: null,
      username: preferred_username ?? '',
      displayName: name || 'OIDC User',
      email: isProven ? email : null,
    };
  };

  return {
    async discover(wellKnown: string): Promise<OidcEndpoints | LoginFailure> {
      if (!isWeb(wellKnown)) return failed('not-configured', 'not an http address');
      const server = await found(wellKnown);
      if (isFailure(server)) return server;
      const { issuer, authorization_endpoint, token_endpoint, userinfo_endpoint } = server;
      if (!isWeb(authorization_endpoint) || !isWeb(token_endpoint)) {
        return failed('not-configured', 'an endpoint is missing');
      }
      return {
        issuer,
        authorizationEndpoint: authorization_endpoint,
        tokenEndpoint: token_endpoint,
        userInfoEndpoint: isWeb(userinfo_endpoint) ? userinfo_endpoint : '',
      };
    },

    async authorizeUrl(
      client: OidcClient,
      { state, nonce, codeVerifier }: LoginAttempt,
    ): Promise<string | LoginFailure> {
      const config = await configured(client);
      if (isFailure(config)) return config;
      const url = buildAuthorizationUrl(config, {
        redirect_uri: client.redirectUri,
        scope: 'openid profile email',
        state,
        nonce,
        code_challenge: await calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
      });
      return url.href;
    },

    async profile(
      client: OidcClient,
      { code, iss }: LoginReturn,
      { state, nonce, codeVerifier }: LoginAttempt,
    ): Promise<LoginProfile | LoginFailure> {
      const config = await configured(client);
      if (isFailure(config)) return config;
      const returned = new URL(client.redirectUri);
      returned.search = String(
        new URLSearchParams({ code, state, ...(iss === '' ? {} : { iss }) }),
      );
      const tokens = await orFailure('token', () =>
        authorizationCodeGrant(config, returned, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: codeVerifier,
          idTokenExpected: true,
        }),
      );
      if (isFailure(tokens)) return tokens;
      const identity = tokens.claims();
      if (identity === undefined) return failed('token', 'no ID token');
      if (config.serverMetadata().userinfo_endpoint === undefined) return profileFrom(identity);
      const info = await orFailure('profile', () =>
        fetchUserInfo(config, tokens.access_token, identity.sub),
      );
      return isFailure(info) ? info : profileFrom({ ...identity, ...info });
    },
  };
};
