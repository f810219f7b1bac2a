import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { StubClient } from './stub-services.ts';

export type OpenIdAccount = Readonly<{
  email: string;
  email_verified?: boolean;
  name?: string;
  preferred_username?: string;
}>;

export type OpenIdProvider = Readonly<{
  issuer: string;
  wellKnown: string;
  close: () => Promise<void>;
}>;

/** The package warns about versions of Node and about its own development pages, at its import. */
const quietly = async <T>(work: () => Promise<T>): Promise<T> => {
  const { warn, info } = console;
  console.warn = () => undefined;
  console.info = () => undefined;
  try {
    return await work();
  } finally {
    console.warn = warn;
    console.info = info;
  }
};

/**
 * A real OpenID provider on a free port of 127.0.0.1. Its own development pages require a login,
 * which is the subject, and accept any password; then they require consent.
 */
export const startOpenIdProvider = async (
  client: StubClient,
  accounts: Readonly<Record<string, OpenIdAccount>>,
): Promise<OpenIdProvider> => {
  const server = createServer((request, response) => handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const issuer = `http://127.0.0.1:${port}`;
  const handle = await quietly(async () => {
    const { default: Provider } = await import('oidc-provider');
    const provider = new Provider(issuer, {
      clients: [
        {
          client_id: client.clientId,
          client_secret: client.clientSecret,
          redirect_uris: [client.redirectUri],
          grant_types: ['authorization_code'],
          response_types: ['code'],
          token_endpoint_auth_method: 'client_secret_post',
        },
      ],
      claims: {
        openid: ['sub'],
        email: ['email', 'email_verified'],
        profile: ['name', 'preferred_username'],
      },
      cookies: { keys: ['for tests'] },
      ttl: { AccessToken: 300, Grant: 300, IdToken: 300, Interaction: 300, Session: 300 },
      findAccount: async (_, sub) => ({
        accountId: sub,
        claims: async () => ({ sub, ...accounts[sub] }),
      }),
    });
    return provider.callback();
  });
  return {
    issuer,
    wellKnown: `${issuer}/.well-known/openid-configuration`,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
};

/** Cookies by name, as a browser keeps them for one host. */
const keepCookies = (jar: Map<string, string>, response: Response): void => {
  for (const cookie of response.headers.getSetCookie()) {
    const [pair = ''] = cookie.split(';');
    const at = pair.indexOf('=');
    const value = pair.slice(at + 1);
    if (value === '') jar.delete(pair.slice(0, at));
    else jar.set(pair.slice(0, at), value);
  }
};

/**
 * Signs a person in at the provider, without a browser. Returns where it sends the browser back.
 */
export const agreeAtProvider = async (authorizeUrl: string, login: string): Promise<URL> => {
  const jar = new Map<string, string>();
  const { origin } = new URL(authorizeUrl);
  const go = async (url: string, form?: Readonly<Record<string, string>>): Promise<Response> => {
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) }),
    });
    keepCookies(jar, response);
    return response;
  };
  let response = await go(authorizeUrl);
  for (let step = 0; step < 12; step += 1) {
    const location = response.headers.get('location');
    if (location !== null) {
      const next = new URL(location, origin);
      if (next.origin !== origin) return next;
      response = await go(next.href);
      continue;
    }
    const page = await response.text();
    const action = /action="([^"]+)"/.exec(page)?.[1];
    const prompt = /name="prompt" value="([^"]+)"/.exec(page)?.[1];
    if (action === undefined || prompt === undefined) {
      throw new Error(`the provider shows no form: ${response.status} ${page.slice(0, 400)}`);
    }
    response = await go(new URL(action, origin).href, { prompt, login, password: 'anything' });
  }
  throw new Error('the provider does not come to an end');
};
