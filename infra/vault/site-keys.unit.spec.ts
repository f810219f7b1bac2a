import { expect, test } from 'vitest';
import { channelKeyPlace } from '../../domain/shared/sealed.ts';
import { createMemoryEventStore } from '../../tests/support/memory-event-store.ts';
import { silentLogger } from '../../tests/support/silent-logger.ts';
import { createReadVault, createVault } from './create-vault.ts';
import { MissingKeyError } from './keyring.ts';
import { KeyringError, renewKey } from './keyring-store.ts';
import { type ProcessKind, printProcessKey, purposesOf } from './process-key.ts';
import { siteSessionSigner } from './session-signer.ts';
import { openSiteKeys } from './site-keys.ts';
import { siteSessionVerifier } from './site-session-verifier.ts';

const secret = 'the master key of the site, long enough to be one';
const clock = () => new Date('2026-03-01T08:00:00.000Z');
const place = channelKeyPlace(3);
const session = {
  id: 'AAAAAAAAAAAAAAAAAAAAAA',
  userId: 7,
  epoch: 1,
  issuedAt: clock().getTime(),
};

const aSite = async () => {
  const eventStore = createMemoryEventStore();
  const deps = { eventStore, clock, logger: silentLogger };
  const open = async (text: string, kind: ProcessKind | null) => {
    const { keyring, stop } = await openSiteKeys(deps, text, kind);
    stop();
    return keyring;
  };
  const keyring = await open(secret, null);
  return { deps, open, keyring, vault: createVault(keyring) };
};

test('projections with their printed key open what they show and seal for relays, no more', async () => {
  const { open, keyring, vault } = await aSite();
  const text = printProcessKey('projections', keyring.keys);
  expect(text).toMatch(/^tgk1\.projections\.[\w-]+\.[\w-]{8}$/);
  const held = await open(text, 'projections');
  const read = createReadVault(held);
  expect(read.unseal(vault.seal('sk', place), place)).toBe('sk');
  expect(() => read.personalSeal(7, vault.createPersonalKey(7))).not.toThrow();
  expect(read.sealForRelays('sk', place)).toMatch(/^v2\./);
  expect(siteSessionVerifier(() => held).verify(siteSessionSigner(keyring).sign(session))).toEqual(
    session,
  );
  expect(() => siteSessionSigner(held)).toThrow(MissingKeyError);
  expect(() => held.newest('claims')).toThrow(MissingKeyError);
});

test('a printed key holds the purposes of its kind and no other key of the site', async () => {
  const { keyring } = await aSite();
  for (const kind of ['relay', 'projections'] as const) {
    const payload = printProcessKey(kind, keyring.keys).split('.')[2] ?? '';
    const text = Buffer.from(payload, 'base64url').toString('utf8');
    for (const { purpose, bytes } of keyring.keys) {
      const isOwn = purposesOf[kind].includes(purpose);
      expect([purpose, text.includes(bytes.toString('base64url'))]).toEqual([purpose, isOwn]);
    }
  }
});

test('a printed key of another kind, of another site or with a part missing is refused', async () => {
  const { open, keyring } = await aSite();
  const text = printProcessKey('projections', keyring.keys);
  await expect(open(text, null)).rejects.toThrow('this process needs the master key');
  const relayText = printProcessKey('relay', keyring.keys);
  await expect(open(relayText, 'projections')).rejects.toThrow('SECRET_KEY is a relay key');
  await expect(open(text.slice(0, -1), 'projections')).rejects.toThrow('with a part missing');
  await expect(open(`${text}.x`, 'projections')).rejects.toThrow(KeyringError);
  const other = await aSite();
  await expect(other.open(text, 'projections')).rejects.toThrow('does not hold the newest key');
});

test('a log without a keyring is no log of a printed key', async () => {
  const { keyring } = await aSite();
  const deps = { eventStore: createMemoryEventStore(), clock, logger: silentLogger };
  const text = printProcessKey('projections', keyring.keys);
  await expect(openSiteKeys(deps, text, 'projections')).rejects.toThrow('of another log');
  expect(deps.eventStore.all).toEqual([]);
});

test('after a renewal the previous printed key is refused, and the line names what to do', async () => {
  const { deps, open, keyring } = await aSite();
  const before = printProcessKey('projections', keyring.keys);
  await renewKey(deps, secret, 'secrets');
  await expect(open(before, 'projections')).rejects.toThrow(
    'SECRET_KEY does not hold the newest key for secrets of this log; ' +
      'print another: npm run keys -- print projections',
  );
  const now = printProcessKey('projections', (await open(secret, null)).keys);
  await expect(open(now, 'projections')).resolves.toBeDefined();
});
