import { afterAll, beforeAll, expect, test } from 'vitest';
import { channelKeyPlace } from '../../domain/shared/sealed.ts';
import { createMemoryBus } from '../../infra/bus/memory/create-memory-bus.ts';
import type { Bus, FeedName } from '../../infra/ports/bus.ts';
import { wrapKeys } from '../../infra/vault/wrapped-keys.ts';
import { aChannelCreated } from '../../tests/support/channel-examples.ts';
import { type ReadApi, startReadApi } from '../../tests/support/read-api.ts';
import { readSideSite, testVault } from '../../tests/support/read-side.ts';
import { upstreamKey } from '../../tests/support/read-side-story.ts';
import { silentLogger } from '../../tests/support/silent-logger.ts';
import { aTokenCreated } from '../../tests/support/token-examples.ts';
import { keyringOf, relayVaultOf } from '../../tests/support/vault.ts';
import { createPostgresRows } from '../runtime/postgres-rows.ts';
import { publishState } from './publish.ts';

let api: ReadApi;
beforeAll(async () => {
  api = await startReadApi();
});
afterAll(() => api.stop());

type FedChannel = { sealedKey: string };

test('keys of channels are sealed again for relays, which open nothing of the log', async () => {
  const fed = await api.side.bus.feed<FedChannel>('channels').get('3');
  const sealed = fed?.value?.sealedKey ?? '';
  const relay = relayVaultOf(readSideSite);
  expect(relay.unseal(sealed, channelKeyPlace(3))).toBe(upstreamKey);
  expect(() => testVault.unseal(sealed, channelKeyPlace(3))).toThrow();
});

test('a key that was moved to another channel reaches no relay', async () => {
  const stolen = testVault.seal('sk-of-channel-3', channelKeyPlace(3));
  const moved = aChannelCreated({ name: 'thief', baseUrl: 'https://thief.example' });
  const data = { ...moved.data, channelId: 4, sealedKey: stolen };
  await api.side.append('channel-4', { ...moved, data });
  await api.side.settle();
  const fed = await api.side.bus.feed<FedChannel>('channels').get('4');
  expect(fed?.value).toMatchObject({ sealedKey: '' });
});

test('of the keyring relays receive their own keys, as wrapped as they are in the log', async () => {
  const keys = wrapKeys('a master key that is long enough', keyringOf('x').keys, 'created');
  await api.side.append('keyring', { type: 'KeyringWritten', data: keys });
  await api.side.settle();
  const fed = await api.side.bus.feed('keys').get('relay');
  expect(fed?.value).toEqual({
    salt: keys.salt,
    keys: keys.keys.filter(({ purpose }) => /^(relay|session-verification)$/.test(purpose)),
  });
});

test('relays receive the limits of a token, where it has some', async () => {
  const tokens = api.side.bus.feed<{ limits?: object }>('tokens');
  const limits = { requestsPerMinute: 60, concurrentRequests: 5 };
  for (const [tokenId, terms] of [
    [8, limits],
    [9, {}],
  ] as const) {
    const { type, data } = aTokenCreated(terms);
    const own = { ...data, tokenId, keyHash: `sha256-of-${tokenId}` };
    await api.side.append(`token-${tokenId}`, { type, data: own });
  }
  await api.side.settle();
  expect((await tokens.get('sha256-of-8'))?.value?.limits).toEqual(limits);
  expect((await tokens.get('sha256-of-9'))?.value).not.toHaveProperty('limits');
});

test('a feed that the bus has lost is put again from the rows', async () => {
  const emptied = createMemoryBus({ logger: silentLogger });
  let lost: (name: FeedName) => Promise<void> = async () => undefined;
  const bus: Bus = {
    ...emptied,
    onFeedLoss: (listener) => {
      lost = listener;
      return () => undefined;
    },
  };
  const deps = { bus, vault: testVault, logger: silentLogger };
  const place = { rows: createPostgresRows(api.side.database.db), schema: 'relay_feeds' };
  await publishState(deps)(place);
  const before = await emptied.feed('channels').get('3');
  const again = createMemoryBus({ logger: silentLogger });
  bus.feed = again.feed;
  await lost('channels');
  expect(await again.feed<FedChannel>('channels').get('3')).toMatchObject({
    position: before?.position,
  });
  expect(await again.feed('accounts').get('1')).toBeNull();
});
