import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { LeaseRecall, LeaseRecalled } from '../../domain/account/messages.ts';
import {
  anAccountCommand,
  relayId,
  tokenId,
  userId,
} from '../../tests/support/account-examples.ts';
import { type KeeperFixture, openKeeperFixture } from '../../tests/support/keeper-fixture.ts';

let fixture: KeeperFixture;
beforeEach(async () => {
  fixture = await openKeeperFixture();
});
afterEach(() => fixture.stop());

const budget = (remain: number, unlimited = false) =>
  fixture.keeper.execute(
    anAccountCommand('SetTokenBudget', { userId, tokenId, unlimited, remain }, { commandId: 'b' }),
  );

/** A relay that answers every recall: so much is recorded. */
const relayAnswers = async (answering: string, recorded: number): Promise<void> => {
  await fixture.bus.subscribe<LeaseRecall>('lease.recall', ({ userId: user }) => {
    const answer = { relayId: answering, userId: user, recorded };
    fixture.bus.publish<LeaseRecalled>('lease.recalled', answer);
  });
};

describe('the answer to a lease request', () => {
  test('names what the account and the token have', async () => {
    await fixture.fund(1_000, 300);
    expect(await fixture.lease(100)).toMatchObject({ balance: 1_000, tokenRemain: 300 });
  });
  test('names no bound of a token that has none', async () => {
    await fixture.fund(1_000);
    await budget(0, true);
    expect(await fixture.lease(100)).toMatchObject({ granted: 100, tokenRemain: null });
  });
  test('names no bound of the playground', async () => {
    await fixture.fund(1_000);
    const reply = await fixture.lease(100, { tokenId: 0 });
    expect(reply).toMatchObject({
      leaseId: `${relayId}.${userId}.0.1`,
      granted: 100,
      tokenRemain: null,
    });
  });
  test('refuses a token that does not exist, or is spent', async () => {
    await fixture.fund(1_000, 50);
    expect(await fixture.lease(10, { tokenId: 71 })).toMatchObject({
      granted: 0,
      refusal: 'token-exhausted',
      tokenRemain: 0,
    });
    await fixture.lease(50);
    await relayAnswers(relayId, 0);
    expect(await fixture.lease(10, { tokenId, relayId: 'relay-b' })).toMatchObject({
      granted: 0,
      refusal: 'token-exhausted',
      tokenRemain: 50,
    });
  });
  test('reports whether the relay held such a lease before', async () => {
    await fixture.fund(1_000);
    expect(await fixture.lease(900)).toMatchObject({ granted: 900, fresh: true });
    expect(await fixture.lease(100)).toMatchObject({ granted: 100, fresh: false });
    expect(await fixture.lease(1)).toMatchObject({ refusal: 'balance-exhausted', fresh: false });
    await relayAnswers(relayId, 0);
    const refused = await fixture.lease(1, { relayId: 'relay-b' });
    expect(refused).toMatchObject({ refusal: 'balance-exhausted', fresh: true });
  });
  test('grants nothing to a request that a newer one has overtaken', async () => {
    await fixture.fund(1_000);
    await fixture.lease(100, { ask: 1 });
    await fixture.lease(100, { ask: 2 });
    expect(await fixture.lease(100, { ask: 1 })).toMatchObject({ granted: 0, refusal: null });
    expect(fixture.events('QuotaLeased')).toHaveLength(2);
  });
  test.each([
    ['a relay', { relayId: 5 as never }],
    ['a user', { userId: 1.5 }],
    ['a token', { tokenId: '70' as never }],
    ['a number', { ask: Number.NaN }],
    ['a sum', { need: 0.5 }],
    ['a sum of at least 0', { need: -1 }],
  ])('is an error for a request without %s', async (_name, changes) => {
    await fixture.fund(1_000);
    await expect(fixture.lease(10, changes)).rejects.toThrow('malformed');
  });
  test('is a sixteenth of the balance for a request for nothing', async () => {
    await fixture.fund(1_000);
    await expect(fixture.lease(0)).resolves.toMatchObject({ granted: 62 });
  });
});

test('a lease is written in the name of its relay, under the number of its request', async () => {
  await fixture.fund(1_000);
  await fixture.lease(100, { ask: 4 });
  const leased = fixture.store.all.find(({ event }) => event.type === 'QuotaLeased');
  expect(leased?.metadata).toMatchObject({
    actor: { kind: 'relay', id: relayId },
    commandId: `${relayId}.${userId}.${tokenId}.1#4`,
    occurredAt: '2026-03-01T08:00:00.000Z',
  });
});

test('all leases of a silent relay expire, and those of others stay', async () => {
  await fixture.fund(1_000);
  await fixture.lease(100);
  await fixture.lease(200, { tokenId: 0 });
  fixture.advance(40_000);
  await fixture.lease(300, { relayId: 'relay-b' });
  fixture.advance(21_000);
  await fixture.until(() => fixture.events('LeaseExpired').length >= 2);
  expect(fixture.events('LeaseExpired').map(({ data }) => [data.leaseId, data.unspent])).toEqual([
    [`${relayId}.${userId}.${tokenId}.1`, 100],
    [`${relayId}.${userId}.0.1`, 200],
  ]);
  const expired = fixture.store.all.find(({ event }) => event.type === 'LeaseExpired');
  expect(expired?.metadata).toMatchObject({
    actor: { kind: 'system', id: 'keeper' },
    commandId: `expire/${relayId}.${userId}.${tokenId}.1`,
  });
});

describe('a request that only idle quota of another relay would cover', () => {
  /** Relay b holds 900 of 1,000, and has recorded so much when it answers a recall; null: it does not. */
  const answering = async (recorded: number | null): Promise<void> => {
    await fixture.fund(1_000);
    await fixture.lease(900, { relayId: 'relay-b' });
    if (recorded !== null) await relayAnswers('relay-b', recorded);
  };
  test('is to be sent again while the relay does not answer', async () => {
    await answering(null);
    expect(await fixture.lease(500)).toMatchObject({ granted: 0, refusal: 'usage-pending' });
  });
  test('is to be sent again while what the relay recorded is not settled', async () => {
    await answering(1);
    expect(await fixture.lease(500)).toMatchObject({ granted: 0, refusal: 'usage-pending' });
  });
  test('gets what is free once the relay has answered and nothing was returned', async () => {
    await answering(0);
    expect(await fixture.lease(500)).toMatchObject({ granted: 100, refusal: null });
  });
  test('gets what is free where the quota of all relays would not do', async () => {
    await answering(null);
    expect(await fixture.lease(1_001)).toMatchObject({ granted: 100, refusal: null });
  });
});
