/** Login providers that send the browser back with a code. */
export type OAuthProvider = 'github' | 'oidc' | 'linuxdo';

/** This site as registered with a provider. */
export type OAuthClient = Readonly<{
  clientId: string;
  clientSecret: string;
  redirectUri: string;
}>;

/** An endpoint that is "" is the one of the discovery document. */
export type OidcClient = OAuthClient &
  Readonly<{
    wellKnown: string;
    authorizationEndpoint: string;
    tokenEndpoint: string;
    userInfoEndpoint: string;
  }>;

export type LoginClient =
  | (OAuthClient & Readonly<{ provider: 'github' | 'linuxdo' }>)
  | (OidcClient & Readonly<{ provider: 'oidc' }>);

/** What one browser carries from the start of a login to its end. */
export type LoginAttempt = Readonly<{ state: string; nonce: string; codeVerifier: string }>;

/** What the browser returned with. `iss` is "" where the provider does not send it. */
export type LoginReturn = Readonly<{ code: string; iss: string }>;

export type LoginProfile = Readonly<{
  /** Never given to another person by the provider. */
  externalId: string;
  /** What people call the account there, when that is not the id. */
  label: string | null;
  /** "" where the provider has none. */
  username: string;
  displayName: string;
  /** null: none, or one that the provider has not verified. */
  email: string | null;
}>;

/**
 * `not-configured`: the operator's settings make no login possible; `token`: the provider did not
 * accept the code, or its answer is not to be trusted; `profile`: it does not identify the person;
 * `empty`: it returned no id. `reason` is for the log.
 */
export type LoginFailure = Readonly<{
  failure: 'unreachable' | 'not-configured' | 'token' | 'profile' | 'empty';
  reason: string;
}>;

export type OidcEndpoints = Readonly<{
  issuer: string;
  authorizationEndpoint: string;
  tokenEndpoint: string;
  userInfoEndpoint: string;
}>;

export type WeChatServer = Readonly<{ address: string; token: string }>;

/** Outside services that identify a person. Every call is bounded in time and size. */
export interface Logins {
  /** Where the browser goes to sign in. */
  authorizeUrl(client: LoginClient, attempt: LoginAttempt): Promise<string | LoginFailure>;
  /** The person who returned. */
  profile(
    client: LoginClient,
    returned: LoginReturn,
    attempt: LoginAttempt,
  ): Promise<LoginProfile | LoginFailure>;
  /** Who sent the word to the account of the WeChat server; "" when the code is wrong or old. */
  wechatId(server: WeChatServer, code: string): Promise<string | LoginFailure>;
  /** The discovery document of an OpenID provider. */
  discover(wellKnown: string): Promise<OidcEndpoints | LoginFailure>;
}
