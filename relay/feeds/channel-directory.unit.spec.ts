import { expect, test } from 'vitest';
import { createRelayVault } from '../../infra/vault/create-relay-vault.ts';
import { Keyring } from '../../infra/vault/keyring.ts';
import { aChannel, sealedFor } from '../../tests/support/relay/relay-harness.ts';
import { silentLogger } from '../../tests/support/silent-logger.ts';
import { keyringOf } from '../../tests/support/vault.ts';
import { createChannelDirectory } from './channel-directory.ts';

const site = keyringOf('relay-harness');

test('channels that arrived before the keys that open them serve once the keys have arrived', () => {
  let keyring = new Keyring([]);
  const channels = createChannelDirectory(
    createRelayVault(() => keyring),
    silentLogger,
  );
  channels.apply([{ key: '1', position: 5n, value: aChannel(1, {}) }]);
  expect(channels.table().channel(1)).toBeUndefined();
  channels.reopen();
  expect(channels.table().channel(1)).toBeUndefined();
  keyring = new Keyring(site.of('relay'));
  channels.reopen();
  expect(channels.table().channel(1)?.key).toBe('upstream-key-1');
});

test('a channel that was deleted meanwhile is not restored with the keys', () => {
  let keyring = new Keyring([]);
  const channels = createChannelDirectory(
    createRelayVault(() => keyring),
    silentLogger,
  );
  channels.apply([{ key: '1', position: 5n, value: aChannel(1, {}) }]);
  channels.apply([{ key: '1', position: 6n, value: null }]);
  keyring = site;
  channels.reopen();
  expect(channels.table().channel(1)).toBeUndefined();
});

test('a key that was sealed for one channel serves no other', () => {
  const channels = createChannelDirectory(
    createRelayVault(() => site),
    silentLogger,
  );
  const thief = {
    ...aChannel(2, { baseUrl: 'https://thief.example' }),
    sealedKey: sealedFor(1, 'sk'),
  };
  channels.apply([{ key: '2', position: 5n, value: thief }]);
  expect(channels.table().channel(2)).toBeUndefined();
});
