import { expect, test } from 'vitest';
import { createMemoryEventStore } from '../../tests/support/memory-event-store.ts';
import { aMetadata } from '../../tests/support/metadata-examples.ts';
import { vaultOf } from '../../tests/support/vault.ts';
import { createPersonalKeys } from './personal-keys.ts';

const vault = vaultOf('personal-keys');
const start = () => {
  const eventStore = createMemoryEventStore();
  return { eventStore, keys: createPersonalKeys(eventStore, vault) };
};

test('what is sealed under the key of a person opens under it alone', async () => {
  const { keys } = start();
  const ada = await keys.create(1, aMetadata());
  const bob = await keys.create(2, aMetadata());
  const sealed = ada.seal('Ada Lovelace', 'display-name');
  expect(ada.unseal(sealed, 'display-name')).toBe('Ada Lovelace');
  expect(() => bob.unseal(sealed, 'display-name')).toThrow();
});

test('a repeated registration finds the key of the first time', async () => {
  const { eventStore, keys } = start();
  const sealed = (await keys.create(1, aMetadata())).seal('Ada', 'display-name');
  const other = createPersonalKeys(eventStore, vault);
  const again = await other.create(1, aMetadata({ commandId: 'another' }));
  expect(again.unseal(sealed, 'display-name')).toBe('Ada');
});

test('a destroyed key is gone for every process', async () => {
  const { eventStore, keys } = start();
  await keys.create(1, aMetadata());
  await keys.destroy(1);
  expect(await keys.get(1)).toBeNull();
  expect(await createPersonalKeys(eventStore, vault).get(1)).toBeNull();
});
