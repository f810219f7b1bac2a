import { createPrivateKey, hash, sign } from 'node:crypto';
import type { JsonObject } from '../../protocol/canonical.ts';
import { numberAt, parseObject, textAt } from '../../protocol/json.ts';
import { configurationError, refuse } from '../../protocol/refusal.ts';
import type { ProviderIo } from '../../upstream/types.ts';
import type { TranslationContext } from '../translate.ts';

export type ServiceAccount = Readonly<{
  projectId: string;
  clientEmail: string;
  privateKeyId: string;
  privateKey: string;
  tokenUri: string;
}>;

const ownTokenUri = 'https://oauth2.googleapis.com/token';
const scope = 'https://www.googleapis.com/auth/cloud-platform';
const tokenSeconds = 3_600;
/** A token is not used in its last minutes: the call it starts may take a while. */
const reserveSeconds = 300;

const isGoogle = (uri: string): boolean =>
  URL.canParse(uri) &&
  new URL(uri).protocol === 'https:' &&
  /(^|\.)googleapis\.com$/.test(new URL(uri).hostname);

/** Keys are pasted with their line breaks escaped, or without any. */
const tidyPem = (pem: string): string => {
  const text = pem.replaceAll('\\n', '\n').trim();
  const body = text.replace(/-----(BEGIN|END) PRIVATE KEY-----/g, '').replace(/\s+/g, '');
  const lines = body.match(/.{1,64}/g) ?? [];
  return ['-----BEGIN PRIVATE KEY-----', ...lines, '-----END PRIVATE KEY-----', ''].join('\n');
};

/** @throws a refusal when the key of the channel is no service account. */
export const serviceAccountOf = (key: string): ServiceAccount => {
  const account = parseObject(key);
  if (account === null || textAt(account, 'private_key') === '') {
    return refuse(
      configurationError('The key of the channel must be the JSON of a service account'),
    );
  }
  const uri = textAt(account, 'token_uri');
  return {
    projectId: textAt(account, 'project_id'),
    clientEmail: textAt(account, 'client_email'),
    privateKeyId: textAt(account, 'private_key_id'),
    privateKey: tidyPem(textAt(account, 'private_key')),
    tokenUri: isGoogle(uri) ? uri : ownTokenUri,
  };
};

const encoded = (value: JsonObject): string =>
  Buffer.from(JSON.stringify(value)).toString('base64url');

/**
 * A JWT signed with RS256 that identifies the requester of a token. @throws a refusal for a broken
 * key
 */
const assertion = (account: ServiceAccount, now: Date): string => {
  const issuedAt = Math.floor(now.getTime() / 1_000);
  const header = { alg: 'RS256', typ: 'JWT', kid: account.privateKeyId };
  const claims = {
    iss: account.clientEmail,
    scope,
    aud: account.tokenUri,
    iat: issuedAt,
    exp: issuedAt + tokenSeconds,
  };
  const text = `${encoded(header)}.${encoded(claims)}`;
  try {
    const key = createPrivateKey(account.privateKey);
    return `${text}.${sign('RSA-SHA256', Buffer.from(text), key).toString('base64url')}`;
  } catch {
    return refuse(configurationError('The private key of the service account cannot be read'));
  }
};

const fetchToken = async (
  account: ServiceAccount,
  io: ProviderIo,
): Promise<Readonly<{ value: string; ttlSeconds: number }>> => {
  const form = new URLSearchParams({
    grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
    assertion: assertion(account, io.now()),
  });
  const reply = await io.fetch({
    method: 'POST',
    url: account.tokenUri,
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
    body: form.toString(),
  });
  const answer = parseObject(reply.body.toString('utf8')) ?? {};
  const value = textAt(answer, 'access_token');
  if (reply.status !== 200 || value === '') {
    const reported = textAt(answer, 'error_description') || textAt(answer, 'error');
    const reason = reported === '' ? `status ${reply.status}` : reported;
    return refuse(configurationError(`The service account got no access token: ${reason}`));
  }
  const lifetime = numberAt(answer, 'expires_in') ?? tokenSeconds;
  return { value, ttlSeconds: Math.max(1, lifetime - reserveSeconds) };
};

/** A valid token; cached by the content of the account, so that an edited key gets a new one. */
export const accessToken = (
  account: ServiceAccount,
  { channel, io }: Pick<TranslationContext, 'channel' | 'io'>,
): Promise<string> => {
  const digest = hash('sha256', channel.key, 'hex');
  return io.cached(`vertex-token:${digest}`, () => fetchToken(account, io));
};
