import { expect, test } from 'vitest';
import { relayPurposes } from '../../domain/keyring/feed.ts';
import { channelKeyPlace } from '../../domain/shared/sealed.ts';
import { silentLogger } from '../../tests/support/silent-logger.ts';
import { keyringOf, vaultOf } from '../../tests/support/vault.ts';
import { createMemoryBus } from '../bus/memory/create-memory-bus.ts';
import { createVault } from './create-vault.ts';
import { Keyring, randomDataKey } from './keyring.ts';
import { KeyringError } from './keyring-store.ts';
import { printProcessKey } from './process-key.ts';
import { createRelayKeys } from './relay-keys.ts';
import { siteSessionSigner } from './session-signer.ts';
import { wrapKeys } from './wrapped-keys.ts';

const secret = 'the master key of the site, long enough to be one';
const keys = keyringOf('a site').keys;
const place = channelKeyPlace(3);
const sealed = vaultOf('a site').sealForRelays('sk-1', place);
const session = { id: 'AAAAAAAAAAAAAAAAAAAAAA', userId: 7, epoch: 1, issuedAt: 1_767_225_600_000 };
const cookie = siteSessionSigner(keyringOf('a site')).sign(session);
const second = randomDataKey('relay', 2, '2026-02-01T00:00:00.000Z');
const sealedLater = createVault(new Keyring([...keys, second])).sealForRelays('sk-2', place);

const aRelay = (text: string) => {
  const bus = createMemoryBus({ logger: silentLogger });
  const refusals: string[] = [];
  const changes: number[] = [];
  let position = 0n;
  /** As the feed projector passes on what the log contains. */
  const publish = async (held = keys, under = secret) => {
    position += 1n;
    const { salt, keys: wrapped } = wrapKeys(under, held, 'created');
    const fed: readonly string[] = relayPurposes;
    const value = { salt, keys: wrapped.filter(({ purpose }) => fed.includes(purpose)) };
    await bus.feed('keys').put([{ key: 'relay', position, value }]);
  };
  const create = () => {
    const onRefused = ({ message }: KeyringError) => void refusals.push(message);
    const relayKeys = createRelayKeys({ bus, secret: text, logger: silentLogger, onRefused });
    relayKeys.onChange(() => changes.push(1));
    return relayKeys;
  };
  return { publish, create, refusals, changes };
};

test('a relay with the master key opens what the feeds hold', async () => {
  const { publish, create } = aRelay(secret);
  await publish();
  const relay = create();
  await relay.start();
  expect(relay.vault.unseal(sealed, place)).toBe('sk-1');
  expect(relay.sessionVerifier.verify(cookie)).toEqual(session);
});

test('a relay with its printed key opens what the feeds hold, before the feed has arrived', async () => {
  const { publish, create } = aRelay(printProcessKey('relay', keys));
  const relay = create();
  expect(relay.vault.unseal(sealed, place)).toBe('sk-1');
  expect(relay.sessionVerifier.verify(cookie)).toEqual(session);
  await publish();
  await relay.start();
});

test('feeds that the key does not open stop the start in one line', async () => {
  for (const text of [
    'another master key that is long enough to be one',
    printProcessKey('relay', keyringOf('another site').keys),
  ]) {
    const { publish, create } = aRelay(text);
    await publish();
    await expect(create().start()).rejects.toThrow('SECRET_KEY does not open the feeds');
  }
});

test('feeds that arrive after the start and do not open end the relay', async () => {
  const { publish, create, refusals } = aRelay('another master key that is long enough to be one');
  await create().start();
  await publish();
  await expect.poll(() => refusals).toEqual(['SECRET_KEY does not open the feeds of this site']);
});

test('keys of other kinds of process are refused at once', () => {
  const text = printProcessKey('projections', keys);
  expect(() => aRelay(text).create()).toThrow('SECRET_KEY is a projections key');
  expect(() => aRelay('tgk1.relay.abc').create()).toThrow(KeyringError);
});

test('a key that was added while the relay runs opens from then on', async () => {
  const { publish, create, changes } = aRelay(secret);
  await publish();
  const relay = create();
  await relay.start();
  expect(() => relay.vault.unseal(sealedLater, place)).toThrow();
  await publish([...keys, second]);
  await expect.poll(() => changes.length).toBe(2);
  expect(relay.vault.unseal(sealedLater, place)).toBe('sk-2');
  expect(relay.vault.unseal(sealed, place)).toBe('sk-1');
});

test('a rotation while the relay runs leaves it the keys that it has', async () => {
  const { publish, create, refusals } = aRelay(secret);
  await publish();
  const relay = create();
  await relay.start();
  await publish(keys, 'another master key that is long enough to be one');
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(refusals).toEqual([]);
  expect(relay.vault.unseal(sealed, place)).toBe('sk-1');
});
