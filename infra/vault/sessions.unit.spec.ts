import { createPrivateKey, createPublicKey, verify } from 'node:crypto';
import { expect, test } from 'vitest';
import { createSessionSigner } from './session-signer.ts';
import { createSessionVerifier } from './session-verifier.ts';

const session = { id: 'AAAAAAAAAAAAAAAAAAAAAA', userId: 7, epoch: 2, issuedAt: 1_800_000_000_000 };
const signer = createSessionSigner(Buffer.alloc(32, 1));
const other = createSessionSigner(Buffer.alloc(32, 2));

const verifierOf = (...keys: readonly (typeof signer)[]) => {
  const verifier = createSessionVerifier();
  for (const { publicKey } of keys) verifier.add(publicKey);
  return verifier;
};

test('a session is verified with the public key alone', () => {
  expect(verifierOf(signer).verify(signer.sign(session))).toEqual(session);
});

test('the signature is Ed25519 under the key of RFC 8032, test 1', () => {
  const seed = Buffer.from(
    '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60',
    'hex',
  );
  const { publicKey, sign } = createSessionSigner(seed);
  expect(Buffer.from(publicKey.publicKey, 'base64url').toString('hex')).toBe(
    'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
  );
  const [keyId, payload, signature = ''] = sign(session).split('.');
  const x = publicKey.publicKey;
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  const text = Buffer.from(`tollgate.session.v1\n${keyId}.${payload}`);
  expect(verify(null, text, key, Buffer.from(signature, 'base64url'))).toBe(true);
});

test('another key, a changed text or another form is no session', () => {
  const { verify: opened } = verifierOf(signer);
  const text = signer.sign(session);
  const [keyId = '', payload = '', signature = ''] = text.split('.');
  const forged = Buffer.from(JSON.stringify({ ...session, userId: 1 })).toString('base64url');
  const others = other.sign(session).split('.');
  for (const bad of [
    '',
    'v1.a.b.c',
    `${keyId}.${forged}.${signature}`,
    `${keyId}.${payload}.${others[2]}`,
    `${others[0]}.${payload}.${others[2]}`,
    `${keyId}.${payload}.${'A'.repeat(86)}`,
    `${keyId}.${payload}`,
    `${text}=`,
    `${text}.${signature}`,
    ` ${text}`,
    `${keyId}.${'A'.repeat(2_000)}.${signature}`,
  ]) {
    expect(opened(bad), bad).toBeNull();
  }
  expect(opened(text)).toEqual(session);
});

test('a key that is withdrawn, or goes by the id of another, opens nothing', () => {
  const verifier = verifierOf(signer);
  verifier.remove(signer.publicKey.keyId);
  expect(verifier.verify(signer.sign(session))).toBeNull();
  const posing = createSessionVerifier();
  posing.add({ keyId: signer.publicKey.keyId, publicKey: other.publicKey.publicKey });
  expect(posing.verify(signer.sign(session))).toBeNull();
});

test('a public key cannot sign', () => {
  const der = Buffer.from(signer.publicKey.publicKey, 'base64url');
  expect(() => createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })).toThrow();
});
