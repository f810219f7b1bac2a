import { expect, test } from 'vitest';
import type { Recorded } from '../../domain/shared/event.ts';
import { anAccountCommand } from '../../tests/support/account-examples.ts';
import { createMemoryEventStore } from '../../tests/support/memory-event-store.ts';
import { aMetadata } from '../../tests/support/metadata-examples.ts';
import { startWriteSide } from '../../tests/support/write-side.ts';
import { createCommandKeys } from './command-keys.ts';

const keyed = (commandId: string, occurredAt = '2026-03-01T12:00:00.000Z') =>
  aMetadata({ commandId, occurredAt });

test('a key is found again where it was first stored, whatever the clock of a repeat is', async () => {
  const store = createMemoryEventStore();
  const keys = createCommandKeys(store);
  const first = await keys.claim(keyed('key-1'), 7);
  expect(store.all.at(-1)?.position).toBe(first);
  await keys.claim(keyed('key-2'), 7);
  for (const time of ['2026-03-01T10:00:00.000Z', '2026-03-01T14:00:00.000Z']) {
    expect(await createCommandKeys(store).claim(keyed('key-1', time), 7)).toBe(first);
  }
  expect(store.all).toHaveLength(2);
});

test('two repeats at the same moment share the place of the first', async () => {
  const store = createMemoryEventStore();
  const servers = [createCommandKeys(store), createCommandKeys(store), createCommandKeys(store)];
  const places = await Promise.all(servers.map((keys) => keys.claim(keyed('key-1'), 7)));
  expect(new Set(places).size).toBe(1);
  expect(store.all).toHaveLength(1);
});

test('a claim whose answer was lost is found by the repeat', async () => {
  const store = createMemoryEventStore();
  store.afterAppend = async () => {
    store.afterAppend = null;
    throw new Error('the answer is lost');
  };
  const keys = createCommandKeys(store);
  await expect(keys.claim(keyed('key-1'), 7)).rejects.toThrow();
  expect(await keys.claim(keyed('key-1'), 7)).toBe(store.all[0]?.position);
});

test('a keyed request that is repeated late, after many other commands, moves money once', async () => {
  const side = await startWriteSide();
  try {
    const root = await side.root();
    const userId = root.userId;
    const execute = (...command: Parameters<typeof anAccountCommand>) =>
      side.keeper.execute(anAccountCommand(...command));
    const earned = { userId, amount: 1_500_000, inviteeId: 9 };
    await execute('RewardReferral', earned, { commandId: 'earned' });
    const transfer = async (headers: Record<string, string> = {}) =>
      (await root.call('POST', '/api/user/aff_transfer', { body: { quota: 500_000 }, headers }))
        .body;
    const before = (await side.keeper.summary(userId))?.balance ?? 0;
    const headers = { 'idempotency-key': 'transfer-1' };
    expect(await transfer(headers)).toMatchObject({ success: true });
    for (let count = 0; count < 300; count += 1) {
      const budget = { userId, tokenId: 1_000 + count, unlimited: false, remain: 5 };
      const occurredAt = '2020-01-01T00:00:00.000Z';
      await execute('SetTokenBudget', budget, { commandId: `budget-${count}`, occurredAt });
    }
    expect(await transfer(headers)).toMatchObject({ success: true });
    expect((await side.keeper.summary(userId))?.balance).toBe(before + 500_000);
    expect(await transfer()).toMatchObject({ success: true });
    expect((await side.keeper.summary(userId))?.balance).toBe(before + 1_000_000);
    const isClaim = ({ streamId }: Recorded) => streamId.startsWith('commandKey-');
    expect(side.eventStore.all.filter(isClaim)).toHaveLength(1);
  } finally {
    await side.stop();
  }
});
