import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

type Claims = Readonly<Record<string, unknown>>;

/** What is wrong with the ID token; nothing when all is left out. */
type Forgery = Readonly<{
  claims?: Claims;
  /** Signed by a key that the provider does not publish. */
  foreignKey?: boolean;
  /** Not signed at all. */
  unsigned?: boolean;
  /** The user info is of another person than the ID token. */
  infoSubject?: string;
}>;

export type ForgingProvider = Readonly<{
  issuer: string;
  wellKnown: string;
  forge: (forgery: Forgery) => void;
  /** A code as after consent, for the address that the browser was sent to. */
  agree: (authorizeUrl: string) => string;
  close: () => Promise<void>;
}>;

const base64url = (value: unknown): string =>
  Buffer.from(JSON.stringify(value)).toString('base64url');

const jwtOf = (payload: Claims, key: KeyObject | null): string => {
  const header = key === null ? { alg: 'none' } : { alg: 'RS256', kid: 'one' };
  const signed = `${base64url(header)}.${base64url(payload)}`;
  const signature = key === null ? '' : sign('sha256', Buffer.from(signed), key);
  return `${signed}.${signature.toString('base64url')}`;
};

/** An OpenID provider that follows the protocol except for the forgery of a test. */
export const startForgingProvider = async (clientId: string): Promise<ForgingProvider> => {
  const own = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const foreign = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const asked = new Map<string, URLSearchParams>();
  let forgery: Forgery = {};
  let issuer = '';

  const metadata = () => ({
    issuer,
    authorization_endpoint: `${issuer}/auth`,
    token_endpoint: `${issuer}/token`,
    userinfo_endpoint: `${issuer}/me`,
    jwks_uri: `${issuer}/jwks`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256', 'none'],
  });

  const idToken = (nonce: string | null): string => {
    const now = Math.floor(Date.now() / 1_000);
    const usual = { iss: issuer, aud: clientId, sub: 'forged', iat: now, exp: now + 300, nonce };
    const key = forgery.foreignKey ? foreign.privateKey : own.privateKey;
    return jwtOf({ ...usual, ...forgery.claims }, forgery.unsigned ? null : key);
  };

  const token = (sent: URLSearchParams): unknown => {
    const began = asked.get(sent.get('code') ?? '');
    const challenge = createHash('sha256')
      .update(sent.get('code_verifier') ?? '')
      .digest('base64url');
    if (began === undefined || began.get('code_challenge') !== challenge) {
      return { error: 'invalid_grant' };
    }
    return {
      access_token: 'access',
      token_type: 'Bearer',
      id_token: idToken(began.get('nonce')),
    };
  };

  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const answers: Readonly<Record<string, () => unknown>> = {
      '/.well-known/openid-configuration': metadata,
      '/jwks': () => ({
        keys: [{ ...own.publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'RS256' }],
      }),
      '/token': () => token(new URLSearchParams(body)),
      '/me': () => ({ sub: forgery.infoSubject ?? 'forged', email: 'forged@example.com' }),
    };
    const answer = answers[request.url ?? '']?.() ?? {};
    const isError = typeof answer === 'object' && answer !== null && 'error' in answer;
    response
      .writeHead(isError ? 400 : 200, { 'content-type': 'application/json' })
      .end(JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    issuer,
    wellKnown: `${issuer}/.well-known/openid-configuration`,
    forge: (next) => {
      forgery = next;
    },
    agree: (authorizeUrl) => {
      const code = `code-${asked.size}`;
      asked.set(code, new URL(authorizeUrl).searchParams);
      return code;
    },
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
};
