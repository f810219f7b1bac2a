import { expect, test } from 'vitest';
import { createVault } from '../infra/vault/create-vault.ts';
import { createMemoryEventStore } from '../tests/support/memory-event-store.ts';
import { aMetadata } from '../tests/support/metadata-examples.ts';
import { createPersonalKeys } from './personal-keys.ts';

const vault = createVault('a secret key for tests, long enough to be one');
const start = () => {
  const eventStore = createMemoryEventStore();
  return { eventStore, keys: createPersonalKeys(eventStore, vault) };
};

test('what is sealed under the key of a person opens under it alone', async () => {
  const { keys } = start();
  const ada = await keys.create(1, aMetadata());
  const bob = await keys.create(2, aMetadata());
  const sealed = ada.seal('Ada Lovelace');
  expect(ada.unseal(sealed)).toBe('Ada Lovelace');
  expect(() => bob.unseal(sealed)).toThrow();
});

test('a repeated registration finds the key of the first time', async () => {
  const { eventStore, keys } = start();
  const sealed = (await keys.create(1, aMetadata())).seal('Ada');
  const other = createPersonalKeys(eventStore, vault);
  const again = await other.create(1, aMetadata({ commandId: 'another' }));
  expect(again.unseal(sealed)).toBe('Ada');
});

test('a destroyed key is gone for every process', async () => {
  const { eventStore, keys } = start();
  await keys.create(1, aMetadata());
  await keys.destroy(1);
  expect(await keys.get(1)).toBeNull();
  expect(await createPersonalKeys(eventStore, vault).get(1)).toBeNull();
});
