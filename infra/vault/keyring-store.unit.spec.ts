import { describe, expect, test } from 'vitest';
import { channelKeyPlace } from '../../domain/shared/sealed.ts';
import type { EventStore, ReadAllOptions } from '../../infra/ports/event-store.ts';
import { createMemoryEventStore } from '../../tests/support/memory-event-store.ts';
import { aMetadata } from '../../tests/support/metadata-examples.ts';
import { createVault } from './create-vault.ts';
import { Keyring } from './keyring.ts';
import { KeyringError, openKeyring, renewKey, rotateKeyring } from './keyring-store.ts';

const secret = 'the master key of the site, long enough to be one';
const another = 'another master key, long enough to be one as well';
const clock = () => new Date('2026-03-01T08:00:00.000Z');
const place = channelKeyPlace(3);

const depsOf = (eventStore: EventStore) => ({ eventStore, clock });
const open = async (eventStore: EventStore, key = secret) =>
  createVault(new Keyring(await openKeyring(depsOf(eventStore), key)));
const keyringEvents = (eventStore: ReturnType<typeof createMemoryEventStore>) =>
  eventStore.all.filter(({ streamId }) => streamId === 'keyring');

describe('the first start', () => {
  test('creates keys that every later start opens', async () => {
    const eventStore = createMemoryEventStore();
    const sealed = (await open(eventStore)).seal('sk-1', place);
    expect((await open(eventStore)).unseal(sealed, place)).toBe('sk-1');
    expect(keyringEvents(eventStore)).toHaveLength(1);
  });

  test('of many processes at one moment gives them all the same keys', async () => {
    const eventStore = createMemoryEventStore();
    const vaults = await Promise.all(Array.from({ length: 8 }, () => open(eventStore)));
    const [first] = vaults;
    const sealed = first?.seal('sk-1', place) ?? '';
    for (const vault of vaults) expect(vault.unseal(sealed, place)).toBe('sk-1');
    expect(new Set(vaults.map((vault) => vault.claimHash('a', 'b'))).size).toBe(1);
    expect(keyringEvents(eventStore)).toHaveLength(1);
  });

  test('reads the keys of a process that wrote them while this one searched the log', async () => {
    const eventStore = createMemoryEventStore();
    const readAll = async function* (options?: ReadAllOptions) {
      await openKeyring(depsOf(eventStore), secret);
      yield* eventStore.readAll(options);
    };
    const late = await open({ ...eventStore, readAll });
    const sealed = (await open(eventStore)).seal('sk-1', place);
    expect(late.unseal(sealed, place)).toBe('sk-1');
    expect(keyringEvents(eventStore)).toHaveLength(1);
  });

  test('leaves no key in the clear in the log', async () => {
    const eventStore = createMemoryEventStore();
    const keys = await openKeyring(depsOf(eventStore), secret);
    const text = JSON.stringify(keyringEvents(eventStore), (_, value) =>
      typeof value === 'bigint' ? String(value) : value,
    );
    for (const { bytes } of keys) {
      for (const form of ['base64url', 'base64', 'hex'] as const) {
        expect(text).not.toContain(bytes.toString(form));
      }
    }
  });
});

describe('another SECRET_KEY', () => {
  test('does not open the keyring, and makes no second one', async () => {
    const eventStore = createMemoryEventStore();
    await open(eventStore);
    await expect(open(eventStore, another)).rejects.toThrow(KeyringError);
    expect(keyringEvents(eventStore)).toHaveLength(1);
  });

  test('creates no keyring in a log that has keys of people', async () => {
    const eventStore = createMemoryEventStore();
    const event = { type: 'PersonalKeyCreated', data: { userId: 1, wrappedKey: 'v2.a.b.c.d' } };
    await eventStore.append(
      'personalKey-1',
      [{ event, eventId: 'k', metadata: aMetadata() }],
      'any',
    );
    await expect(open(eventStore)).rejects.toThrow('restore stream keyring');
    expect(keyringEvents(eventStore)).toHaveLength(0);
  });

  test('creates none where the keyring was deleted or cannot be read', async () => {
    const deleted = createMemoryEventStore();
    await open(deleted);
    await deleted.tombstoneStream('keyring');
    await expect(open(deleted)).rejects.toThrow('restore stream keyring');
    const broken = createMemoryEventStore();
    await open(broken);
    broken.appendUnreadable('keyring');
    await expect(open(broken)).rejects.toThrow('restore stream keyring');
  });
});

describe('a rotation', () => {
  test('wraps the same keys under the new SECRET_KEY, in one event; the old one opens no more', async () => {
    const eventStore = createMemoryEventStore();
    const sealed = (await open(eventStore)).seal('sk-1', place);
    const keys = { current: secret, next: another };
    expect(await rotateKeyring(depsOf(eventStore), keys)).toBe('rotated');
    expect((await open(eventStore, another)).unseal(sealed, place)).toBe('sk-1');
    await expect(open(eventStore)).rejects.toThrow('SECRET_KEY does not open the keyring');
    expect(keyringEvents(eventStore)).toHaveLength(2);
    const visible = [];
    for await (const event of eventStore.readStream('keyring')) visible.push(event);
    expect(visible).toHaveLength(1);
  });

  test('done twice, or by two at once, is done once', async () => {
    const eventStore = createMemoryEventStore();
    await open(eventStore);
    const keys = { current: secret, next: another };
    const rotate = () => rotateKeyring(depsOf(eventStore), keys);
    expect((await Promise.all([rotate(), rotate()])).sort()).toEqual(['rotated', 'rotated-before']);
    expect(await rotate()).toBe('rotated-before');
    expect(keyringEvents(eventStore)).toHaveLength(2);
  });

  test('under neither key changes nothing', async () => {
    const eventStore = createMemoryEventStore();
    await open(eventStore);
    const keys = { current: another, next: 'a third key that is long enough to be one' };
    await expect(rotateKeyring(depsOf(eventStore), keys)).rejects.toThrow(KeyringError);
    expect(keyringEvents(eventStore)).toHaveLength(1);
  });
});

describe('a renewal', () => {
  test('adds a key that seals after the next start; what the older ones sealed opens', async () => {
    const eventStore = createMemoryEventStore();
    const before = await open(eventStore);
    const sealed = before.seal('sk-1', place);
    const personalKey = before.createPersonalKey(7);
    expect(await renewKey(depsOf(eventStore), secret, 'secrets')).toBe(2);
    expect(await renewKey(depsOf(eventStore), secret, 'personal-keys')).toBe(2);
    const after = await open(eventStore);
    expect(after.unseal(sealed, place)).toBe('sk-1');
    expect(() => after.personalSeal(7, personalKey)).not.toThrow();
    const keyIdOf = (text: string) => text.split('.')[1];
    expect(keyIdOf(after.seal('sk-2', place))).not.toBe(keyIdOf(sealed));
    expect(after.claimHash('a', 'b')).toBe(before.claimHash('a', 'b'));
  });

  test('two at once each add their own', async () => {
    const eventStore = createMemoryEventStore();
    await open(eventStore);
    const renew = () => renewKey(depsOf(eventStore), secret, 'relay');
    expect((await Promise.all([renew(), renew()])).sort()).toEqual([2, 3]);
  });
});
