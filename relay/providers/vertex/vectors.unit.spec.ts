import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { expect, test } from 'vitest';
import { loadVectors, replayVectors } from '../../../tests/support/vector-runner.ts';
import { contextOf, fakeIo } from '../../../tests/support/vectors/context.ts';
import { vertex } from './translate.ts';

const vectors = loadVectors(new URL('./fixtures/vectors.json', import.meta.url));
const pair = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});
const account = {
  type: 'service_account',
  project_id: 'proj-test',
  private_key_id: 'kid-test',
  private_key: pair.privateKey,
  client_email: 'svc@proj-test.iam.gserviceaccount.com',
  token_uri: 'https://oauth2.googleapis.com/token',
};
const key = JSON.stringify(account);

replayVectors(vertex, vectors, { key, cachedValue: 'ya29.test' });

const [first] = vectors.cases;
const part = (jwt: string, at: number): unknown =>
  JSON.parse(Buffer.from(jwt.split('.')[at] ?? '', 'base64url').toString());
const tokenCallWith = async (
  accountKey: string,
): Promise<Readonly<{ url: string; jwt: string }>> => {
  if (first === undefined) throw new Error('no case');
  const io = fakeIo({ exchanges: first.extra_exchanges ?? [] });
  await vertex.request(contextOf(first, accountKey, io));
  const sent = io.sent[0];
  const jwt = new URLSearchParams(String(sent?.body)).get('assertion') ?? '';
  return { url: sent?.url ?? '', jwt };
};

test('a service account requests its token with a signed assertion of the right claims', async () => {
  const { jwt } = await tokenCallWith(key);
  expect(part(jwt, 0)).toEqual({ alg: 'RS256', typ: 'JWT', kid: 'kid-test' });
  expect(part(jwt, 1)).toEqual({
    iss: 'svc@proj-test.iam.gserviceaccount.com',
    scope: 'https://www.googleapis.com/auth/cloud-platform',
    aud: 'https://oauth2.googleapis.com/token',
    iat: 1_700_000_000,
    exp: 1_700_003_600,
  });
  const [header, claims, signature = ''] = jwt.split('.');
  const isGood = verify(
    'RSA-SHA256',
    Buffer.from(`${header}.${claims}`),
    createPublicKey(pair.publicKey),
    Buffer.from(signature, 'base64url'),
  );
  expect(isGood).toBe(true);
});

test('a private key pasted with escaped or missing line breaks still signs', async () => {
  const escaped = { ...account, private_key: pair.privateKey.replaceAll('\n', '\\n') };
  const joined = { ...account, private_key: pair.privateKey.replaceAll('\n', '') };
  expect((await tokenCallWith(JSON.stringify(escaped))).jwt).not.toBe('');
  expect((await tokenCallWith(JSON.stringify(joined))).jwt).not.toBe('');
});

test('a token address outside of Google is not called', async () => {
  const odd = { ...account, token_uri: 'https://evil.example.com/token' };
  expect((await tokenCallWith(JSON.stringify(odd))).url).toBe(
    'https://oauth2.googleapis.com/token',
  );
});

test('a key that is no service account is an error of the channel, before any call', async () => {
  if (first === undefined) throw new Error('no case');
  const io = fakeIo();
  expect(await vertex.request(contextOf(first, 'sk-oops', io))).toMatchObject({
    code: 'channel_configuration_error',
  });
  expect(io.sent).toEqual([]);
});
