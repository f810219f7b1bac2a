import { describe, expect, test } from 'vitest';
import { channelKeyPlace, optionPlace, tokenKeyPlace } from '../../domain/shared/sealed.ts';
import { keyringOf, relayVaultOf, vaultOf } from '../../tests/support/vault.ts';
import { createReadVault } from './create-vault.ts';
import { Keyring, MissingKeyError, randomDataKey } from './keyring.ts';
import { UnsealError } from './sealed-text.ts';

const vault = vaultOf('a site');
const otherVault = vaultOf('another site');
const here = channelKeyPlace(12);

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
      expect(vault.unseal(vault.seal(plain, here), here)).toBe(plain);
    },
  );

  test('differ each time and follow the documented form', () => {
    const sealed = vault.seal('sk-secret', here);
    expect(sealed).toMatch(/^v2\.[\w-]{12}\.[\w-]{16}\.[\w-]{22}\.[\w-]+$/);
    expect(vault.seal('sk-secret', here)).not.toBe(sealed);
  });

  test('survive a restart with the same keys', () => {
    expect(vaultOf('a site').unseal(vault.seal('sk-secret', here), here)).toBe('sk-secret');
  });

  test('stay shut under the keys of another site', () => {
    expect(() => otherVault.unseal(vault.seal('sk-secret', here), here)).toThrow(UnsealError);
  });

  test.each([
    ['another channel', channelKeyPlace(13)],
    ['a channel whose number begins the same', channelKeyPlace(1)],
    ['a token of the same number', tokenKeyPlace(12)],
    ['an option', optionPlace('12')],
    ['no place at all', { place: '' }],
  ])('stay shut when they were copied to %s', (_, elsewhere) => {
    const sealed = vault.seal('sk-secret', here);
    expect(() => vault.unseal(sealed, elsewhere)).toThrow(UnsealError);
  });

  test.each([1, 2, 3, 4])('stay shut when part %i was changed', (part) => {
    expect(() => vault.unseal(tamper(vault.seal('sk-secret', here), part), here)).toThrow(
      UnsealError,
    );
  });

  test.each([
    '',
    'v1',
    'v1.a.b',
    'v1.AAAAAAAAAAAAAAAA.AAAAAAAAAAAAAAAAAAAAAA.AA',
    'v2.AAAAAAAAAAAA.AAAAAAAAAAAAAAAA.AAAAAAAAAAAAAAAAAAAAAA.AA',
    'v2.####.####.####.####',
    'v3.a.b.c.d',
  ])('malformed text %j is refused', (text) => {
    expect(() => vault.unseal(text, here)).toThrow(UnsealError);
  });

  test('a shortened authentication tag is refused', () => {
    const [version, keyId, iv, tag = '', text] = vault.seal('sk-secret', here).split('.');
    const short = Buffer.from(tag, 'base64url').subarray(0, 4).toString('base64url');
    const shortened = [version, keyId, iv, short, text].join('.');
    expect(() => vault.unseal(shortened, here)).toThrow(UnsealError);
  });

  test('cannot be passed off as texts of before there were key ids', () => {
    const [, , ...parts] = vault.seal('sk-secret', here).split('.');
    expect(() => vault.unseal(['v1', ...parts].join('.'), here)).toThrow(UnsealError);
  });
});

describe('keys that were added later', () => {
  const keys = keyringOf('a site').keys;
  const second = randomDataKey('secrets', 2, '2026-02-01T00:00:00.000Z');

  test('the newest seals, and what an older one sealed opens', () => {
    const before = createReadVault(new Keyring(keys));
    const sealed = vault.seal('old', here);
    const renewed = new Keyring([...keys, second]);
    expect(createReadVault(renewed).unseal(sealed, here)).toBe('old');
    expect(renewed.sealing('secrets').keyId).toBe(second.keyId);
    expect(before.unseal(sealed, here)).toBe('old');
  });

  test('one that a running process learns of opens, and does not seal before the next start', () => {
    const keyring = new Keyring(keys);
    const first = keyring.sealing('secrets').keyId;
    keyring.learn([second]);
    expect(keyring.holds('secrets', second.keyId)).toBe(true);
    expect(keyring.sealing('secrets').keyId).toBe(first);
  });
});

describe('what relays get', () => {
  const relay = relayVaultOf('a site');

  test('opens for a relay, and nothing else of the site does', () => {
    expect(relay.unseal(vault.sealForRelays('sk-secret', here), here)).toBe('sk-secret');
    expect(() => relay.unseal(vault.seal('sk-secret', here), here)).toThrow(UnsealError);
    expect(() => vault.unseal(vault.sealForRelays('sk-secret', here), here)).toThrow(UnsealError);
  });

  test('does not open for another channel', () => {
    const sealed = vault.sealForRelays('sk-secret', here);
    expect(() => relay.unseal(sealed, channelKeyPlace(13))).toThrow(UnsealError);
  });

  test('marks are verified by the relays of the site alone', () => {
    const mark = relay.mark('task-notify', 'task-1');
    expect(relayVaultOf('a site').isMark('task-notify', 'task-1', mark)).toBe(true);
    expect(relay.isMark('task-notify', 'task-2', mark)).toBe(false);
    expect(relay.isMark('other', 'task-1', mark)).toBe(false);
    expect(relay.isMark('task-notify', 'task-1', '')).toBe(false);
    expect(relayVaultOf('another site').isMark('task-notify', 'task-1', mark)).toBe(false);
  });

  test('a process without a key names the one it lacks', () => {
    const keyring = new Keyring(keyringOf('a site').of('relay'));
    expect(() => keyring.sealing('secrets')).toThrow(MissingKeyError);
    expect(() => createReadVault(keyring).unseal(vault.seal('x', here), here)).toThrow(UnsealError);
  });
});

describe('values handed out', () => {
  test('are opened as they were sealed', () => {
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
    expect(vault.unsealTransient(vault.seal('{"userId":1}', here))).toBeNull();
    expect(() => vault.unseal(vault.sealTransient({ userId: 1 }), here)).toThrow(UnsealError);
  });
});

describe('claims over personal data', () => {
  test('the same value gives the same hash to every caller', () => {
    const again = vaultOf('a site');
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
  const field = 'display-name';

  test('opens under the key of that person alone', () => {
    const mine = vault.personalSeal(7, vault.createPersonalKey(7));
    const yours = vault.personalSeal(8, vault.createPersonalKey(8));
    const sealed = mine.seal('Ada', field);
    expect(mine.unseal(sealed, field)).toBe('Ada');
    expect(() => yours.unseal(sealed, field)).toThrow(UnsealError);
    expect(() => vault.unseal(sealed, here)).toThrow(UnsealError);
  });

  test('a wrapped key opens again after a restart, and with the keys of the site only', () => {
    const wrapped = vault.createPersonalKey(7);
    const sealed = vault.personalSeal(7, wrapped).seal('Ada', field);
    expect(vaultOf('a site').personalSeal(7, wrapped).unseal(sealed, field)).toBe('Ada');
    expect(() => otherVault.personalSeal(7, wrapped)).toThrow(UnsealError);
    expect(() => vault.personalSeal(7, tamper(wrapped, 4))).toThrow(UnsealError);
  });

  test('neither a key nor a text can be moved: to another person, or to another field', () => {
    const wrapped = vault.createPersonalKey(7);
    expect(() => vault.personalSeal(8, wrapped)).toThrow(UnsealError);
    const mine = vault.personalSeal(7, wrapped);
    const secret = mine.seal('whsec', 'webhook-secret');
    expect(() => mine.unseal(secret, 'notification-email')).toThrow(UnsealError);
  });
});
