import { describe, expect, test } from 'vitest';
import { createVault, UnsealError } from './create-vault.ts';

const vault = createVault('0123456789abcdef0123456789abcdef');
const otherVault = createVault('fedcba9876543210fedcba9876543210');

/** Flips one character of one part of a sealed text. */
const tamper = (sealed: string, part: number): string => {
  const parts = sealed.split('.');
  const text = parts[part] ?? '';
  parts[part] = (text.startsWith('A') ? 'B' : 'A') + text.slice(1);
  return parts.join('.');
};

describe('sealed secrets', () => {
  test.each(['', 'sk-secret', '密钥 🔑', 'x'.repeat(100_000)])(
    'open to what was sealed',
    (plain) => {
      expect(vault.unseal(vault.seal(plain))).toBe(plain);
    },
  );

  test('look different each time and follow the documented form', () => {
    const sealed = vault.seal('sk-secret');
    expect(sealed).toMatch(/^v1\.[\w-]{16}\.[\w-]{22}\.[\w-]+$/);
    expect(vault.seal('sk-secret')).not.toBe(sealed);
  });

  test('survive a restart with the same key', () => {
    const again = createVault('0123456789abcdef0123456789abcdef');
    expect(again.unseal(vault.seal('sk-secret'))).toBe('sk-secret');
  });

  test('stay shut under another key', () => {
    expect(() => otherVault.unseal(vault.seal('sk-secret'))).toThrow(UnsealError);
  });

  test.each([1, 2, 3])('stay shut when part %i was changed', (part) => {
    expect(() => vault.unseal(tamper(vault.seal('sk-secret'), part))).toThrow(UnsealError);
  });

  test.each([
    '',
    'v1',
    'v1.a.b',
    'v2.AAAAAAAAAAAAAAAA.AAAAAAAAAAAAAAAAAAAAAA.AA',
    'v1.AAAAAAAAAAAAAAAA.AAAA.AA',
    'v1.####.####.####',
  ])('malformed text %j is refused', (text) => {
    expect(() => vault.unseal(text)).toThrow(UnsealError);
  });

  test('a shortened authentication tag is refused', () => {
    const [version, iv, tag = '', text] = vault.seal('sk-secret').split('.');
    const short = Buffer.from(tag, 'base64url').subarray(0, 4).toString('base64url');
    expect(() => vault.unseal([version, iv, short, text].join('.'))).toThrow(UnsealError);
  });
});

describe('values handed out', () => {
  test('come back as they were sealed', () => {
    const state = { browser: 'b', userId: 7 };
    expect(vault.unsealTransient(vault.sealTransient(state))).toEqual(state);
  });

  test('are refused when forged, foreign or malformed', () => {
    expect(vault.unsealTransient('')).toBeNull();
    expect(vault.unsealTransient('v1.a.b.c')).toBeNull();
    expect(vault.unsealTransient(tamper(vault.sealTransient({ userId: 7 }), 3))).toBeNull();
    expect(vault.unsealTransient(otherVault.sealTransient({ userId: 7 }))).toBeNull();
  });

  test('are no secrets, and secrets no such values', () => {
    expect(vault.unsealTransient(vault.seal('{"userId":1}'))).toBeNull();
    expect(() => vault.unseal(vault.sealTransient({ userId: 1 }))).toThrow(UnsealError);
  });
});

describe('claims over personal data', () => {
  test('the same value gives the same hash, whoever asks', () => {
    const again = createVault('0123456789abcdef0123456789abcdef');
    expect(vault.claimHash('email', 'a@b.c')).toBe(again.claimHash('email', 'a@b.c'));
    expect(vault.claimHash('email', 'a@b.c')).toMatch(/^[0-9a-f]{64}$/);
  });

  test('kinds, values and keys are kept apart', () => {
    const hashes = [
      vault.claimHash('email', 'a@b.c'),
      vault.claimHash('github', 'a@b.c'),
      vault.claimHash('email', 'a@b.d'),
      vault.claimHash('email","a', '@b.c'),
      otherVault.claimHash('email', 'a@b.c'),
    ];
    expect(new Set(hashes).size).toBe(hashes.length);
  });
});

describe('personal data', () => {
  test('opens under the key of that person alone', () => {
    const mine = vault.personalSeal(vault.createPersonalKey());
    const yours = vault.personalSeal(vault.createPersonalKey());
    const sealed = mine.seal('me@example.com');
    expect(mine.unseal(sealed)).toBe('me@example.com');
    expect(() => yours.unseal(sealed)).toThrow(UnsealError);
    expect(() => vault.unseal(sealed)).toThrow(UnsealError);
  });

  test('a wrapped key opens again after a restart, and under the same SECRET_KEY only', () => {
    const wrapped = vault.createPersonalKey();
    const sealed = vault.personalSeal(wrapped).seal('me@example.com');
    const again = createVault('0123456789abcdef0123456789abcdef');
    expect(again.personalSeal(wrapped).unseal(sealed)).toBe('me@example.com');
    expect(() => otherVault.personalSeal(wrapped)).toThrow(UnsealError);
    expect(() => vault.personalSeal(tamper(wrapped, 3))).toThrow(UnsealError);
  });
});
