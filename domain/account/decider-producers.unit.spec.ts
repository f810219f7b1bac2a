import { describe, test } from 'vitest';
import {
  anAccountCommand,
  anAccountOpened,
  aProducer,
  aQuotaGranted,
  aQuotaLeased,
  aTokenBudgetSet,
  leaseId,
  relayId,
  userId,
} from '../../tests/support/account-examples.ts';
import { deciderSpec } from '../../tests/support/decider-spec.ts';
import { accountDecider } from './decider.ts';
import type { AccountEvent } from './events.ts';

const given = deciderSpec(accountDecider);
const funded = (balance: number): AccountEvent[] => [anAccountOpened, aQuotaGranted(balance)];

describe('what a relay gives back', () => {
  const giveBack = (unspent: number, number: number, closes: boolean) =>
    anAccountCommand('ReturnLease', {
      userId,
      relayId,
      leaseId,
      unspent,
      usageNumber: { producerId: 1, number },
      closes,
    });
  const history = [...funded(1_000), aTokenBudgetSet(), aQuotaLeased(100)];

  test('leaves the lease open, unless it marks its end', () => {
    given(...history)
      .when(giveBack(40, 1, false))
      .thenState({ reserved: 60 });
    given(...history)
      .when(giveBack(100, 1, false))
      .thenState({ reserved: 0 });
    given(...history)
      .when(giveBack(10, 1, true))
      .thenState({ reserved: 0, leases: new Map() });
  });
  test('is accepted in its order, and once', () => {
    given(...history)
      .when(giveBack(40, 2, false))
      .thenRejected('account.usage-gap');
    const first: AccountEvent = {
      type: 'LeaseReturned',
      data: {
        userId,
        leaseId,
        unspent: 40,
        usageNumber: { producerId: 1, number: 1 },
        closes: false,
      },
    };
    given(...history, first)
      .when(giveBack(40, 1, false))
      .thenNothing();
  });
  test('of a lease that has expired settles its number', () => {
    const expired: AccountEvent = { type: 'LeaseExpired', data: { userId, leaseId, unspent: 100 } };
    given(...history, expired)
      .when(giveBack(40, 1, true))
      .thenState({
        reserved: 0,
        producers: new Map([[1, { relayId, settledThrough: 1, since: 3, closedLease: 1 }]]),
      });
  });
});

test('a lease that ends before its request arrives is not opened by it', () => {
  const ended: AccountEvent = {
    type: 'LeaseReturned',
    data: {
      userId,
      leaseId: `${relayId}.7.70.2`,
      unspent: 0,
      usageNumber: { producerId: 1, number: 1 },
      closes: true,
    },
  };
  const late = (lease: number) =>
    anAccountCommand('LeaseQuota', {
      userId,
      tokenId: 0,
      relayId,
      leaseId: `${relayId}.7.0.${lease}`,
      need: 5,
      ask: 9,
    });
  given(...funded(1_000), ...aProducer, ended)
    .when(late(2))
    .thenRejected('account.lease-closed');
  given(...funded(1_000), ...aProducer, ended)
    .when(late(3))
    .thenState({ reserved: 62 });
});

describe('the end of a producer', () => {
  const close = (last: number) =>
    anAccountCommand('CloseProducer', { userId, relayId, producerId: 1, last });
  const history = [...funded(1_000), aTokenBudgetSet(), aQuotaLeased(100)];
  const ended = (last: number): AccountEvent => ({
    type: 'ProducerClosed',
    data: { userId, relayId, producerId: 1, last },
  });

  test('closes its leases', () =>
    given(...history)
      .when(close(0))
      .thenEvents(
        { type: 'LeaseReturned', data: { userId, leaseId, unspent: 100, closes: true } },
        ended(0),
      ));
  test('waits for all its numbers', () =>
    given(...history)
      .when(close(1))
      .thenRejected('account.usage-gap'));
  test('is accepted once, and not for another relay', () => {
    given(...history, ended(0))
      .when(close(0))
      .thenNothing();
    given(...history)
      .when(anAccountCommand('CloseProducer', { userId, relayId: 'b', producerId: 1, last: 0 }))
      .thenNothing();
  });
});

test('a number is skipped in its order, and once', () => {
  const skip = (number: number) =>
    anAccountCommand('SkipUsageNumber', {
      userId,
      relayId,
      usageNumber: { producerId: 1, number },
      reason: 'r',
    });
  const history = [...funded(1_000), ...aProducer];
  const skipped: AccountEvent = {
    type: 'UsageNumberSkipped',
    data: { userId, relayId, usageNumber: { producerId: 1, number: 1 }, reason: 'r' },
  };
  given(...history)
    .when(skip(1))
    .thenEvents(skipped);
  given(...history, skipped)
    .when(skip(1))
    .thenNothing();
  given(...history)
    .when(skip(2))
    .thenRejected('account.usage-gap');
});
