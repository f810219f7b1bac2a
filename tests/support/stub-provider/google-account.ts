import { generateKeyPairSync, verify } from 'node:crypto';
import type * as providerIo from '../../../relay/upstream/provider-io.ts';
import type { HttpReply, HttpRequest } from '../../../relay/upstream/types.ts';

/*
 * A service account of Google, and the endpoint that gives an access token for it. The address of
 * that endpoint is no setting of a channel.
 */

const tokenUri = 'https://oauth2.googleapis.com/token';
const pair = generateKeyPairSync('rsa', { modulusLength: 2_048 });

const account = {
  type: 'service_account',
  project_id: 'stub-project',
  private_key_id: 'a-key-id-of-the-stub-1234',
  private_key: pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  client_email: 'stub@stub-project.iam.gserviceaccount.com',
  token_uri: tokenUri,
};
/** The key of a channel, as Google hands it out. */
export const serviceAccount = JSON.stringify(account);
export const stubProject = account.project_id;
/** What may be shown to no caller. */
export const accountSecrets = [account.private_key_id, account.client_email] as const;

type Claims = Readonly<{ aud?: unknown }>;

/** RFC 7523: a JWT signed by the service account. */
export const isAsserted = (form: URLSearchParams): boolean => {
  const [head = '', claims = '', signature = ''] = (form.get('assertion') ?? '').split('.');
  const own = JSON.parse(Buffer.from(claims, 'base64url').toString() || '{}') as Claims;
  return (
    form.get('grant_type') === 'urn:ietf:params:oauth:grant-type:jwt-bearer' &&
    own.aud === tokenUri &&
    verify(
      'RSA-SHA256',
      Buffer.from(`${head}.${claims}`),
      pair.publicKey,
      Buffer.from(signature, 'base64url'),
    )
  );
};

/** Hosts of Google that are played here, by their names. */
export const playedHosts = new Map<string, string>();
export const stubAccessToken = 'ya29.of-the-stub-1234';

const granted = ({ body }: HttpRequest): HttpReply => {
  const isOwn = isAsserted(new URLSearchParams(String(body)));
  const answer = isOwn
    ? { access_token: stubAccessToken, expires_in: 3_599 }
    : { error: 'invalid_grant' };
  return {
    status: isOwn ? 200 : 400,
    headers: {},
    body: Buffer.from(JSON.stringify(answer)),
  };
};

/** The calls of a relay, of which those to hosts of Google stay in this process. */
export const withGoogle = (real: typeof providerIo): typeof providerIo => ({
  ...real,
  createProviderIo: (clock) => {
    const made = real.createProviderIo(clock);
    return (proxy) => {
      const io = made(proxy);
      return {
        ...io,
        fetch: (request) => {
          if (request.url === tokenUri) return Promise.resolve(granted(request));
          const { origin, host } = new URL(request.url);
          const url = request.url.replace(origin, playedHosts.get(host) ?? origin);
          return io.fetch({ ...request, url });
        },
      };
    };
  },
});
