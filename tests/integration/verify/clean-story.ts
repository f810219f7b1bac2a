import { randomUUID } from 'node:crypto';
import type { AccountEvent } from '../../../domain/account/events.ts';
import type { Event, Metadata } from '../../../domain/shared/event.ts';
import type { EventStore } from '../../../infra/ports/event-store.ts';
import { aRequestCharged } from '../../support/account-events.ts';
import { aChannelCreated } from '../../support/channel-examples.ts';
import { aMetadata } from '../../support/metadata-examples.ts';
import { testVault } from '../../support/read-side.ts';
import { aRedemptionCreated, aRedemptionRedeemed } from '../../support/redemption-examples.ts';
import { anOptionChanged, aSiteInitialised } from '../../support/site-examples.ts';
import { aTokenCreated } from '../../support/token-examples.ts';
import { aTopUpOrdered, aTopUpPaid, tradeNo } from '../../support/topup-examples.ts';
import { aUserRegistered } from '../../support/user-examples.ts';

const userId = 42;
const leaseId = 'relay-a.42.7';
const relay: Partial<Metadata> = { actor: { kind: 'relay', id: 'relay-a' } };

/** A day after the story. */
export const dayAfter = () => new Date('2026-03-02T08:00:00.000Z');

/** Event ids by the name that a test calls the event. */
export type StoryIds = Readonly<Record<string, string>>;

/**
 * A small site whose books are right: two people, a channel, a token, a redeemed code, a paid order, one lease,
 * three charges, one of them refunded in part, a request that failed, one that was abandoned and
 * one that was abandoned and charged late, and a correction.
 */
export const tellCleanStory = async (eventStore: EventStore): Promise<StoryIds> => {
  const ids: Record<string, string> = {};
  const tell = async (
    name: string,
    [streamId, event, changes = {}]: readonly [string, Event, Partial<Metadata>?],
  ): Promise<void> => {
    const eventId = randomUUID();
    ids[name] = eventId;
    await eventStore.append(streamId, [{ event, eventId, metadata: aMetadata(changes) }], 'any');
  };
  let balance = 0;
  const book = (name: string, event: AccountEvent, changes: Partial<Metadata> = {}) =>
    tell(name, [`account-${userId}`, event, changes]);
  const charge = (requestId: string, sequence: number) => {
    const event = aRequestCharged({ leaseId, sequence, call: { requestId, tokenId: 7 } });
    balance -= event.data.amount;
    return book(requestId, { ...event, data: { ...event.data, balanceAfter: balance } }, relay);
  };
  const person = async (id: number, username: string, role: 1 | 100) => {
    const wrappedKey = testVault.createPersonalKey(id);
    const created = { type: 'PersonalKeyCreated', data: { userId: id, wrappedKey } };
    await tell(`key-${id}`, [`personalKey-${id}`, created]);
    const { seal } = testVault.personalSeal(id, wrappedKey);
    const displayName = seal(username, 'display-name');
    const registered = aUserRegistered({ userId: id, username, role, displayName, email: null });
    await tell(`user-${id}`, [`user-${id}`, registered]);
  };

  await tell('site', ['site', aSiteInitialised()]);
  await tell('option', ['site', anOptionChanged('SystemName', 'Books')]);
  await person(1, 'root', 100);
  await person(userId, 'ada', 1);
  await tell('channel', ['channel-3', aChannelCreated()]);
  const token = aTokenCreated();
  await tell('token', ['token-7', { ...token, data: { ...token.data, tokenId: 7, userId } }]);
  await book('opened', { type: 'AccountOpened', data: { userId } });
  const code = aRedemptionCreated();
  const { redemptionId, quota } = code.data;
  await tell('code', [`redemption-${redemptionId}`, code]);
  await tell('redeemed', [`redemption-${redemptionId}`, aRedemptionRedeemed(userId)]);
  balance += quota;
  const reference = String(redemptionId);
  await book('granted', {
    type: 'QuotaGranted',
    data: { userId, amount: quota, source: 'redemption', reference, balanceAfter: balance },
  });
  const paid = { paid: { amountMinor: 7_200, currency: 'CNY' }, bonusQuota: 600_000 } as const;
  await tell('ordered', [`topup-${tradeNo}`, aTopUpOrdered({ userId })]);
  await tell('paid', [`topup-${tradeNo}`, aTopUpPaid({ userId })]);
  balance += 5_600_000;
  await book('bought', {
    type: 'QuotaGranted',
    data: {
      userId,
      amount: 5_600_000,
      source: 'topup',
      reference: tradeNo,
      payment: { provider: 'lantu', providerReference: 'pay-1', ...paid },
      balanceAfter: balance,
    },
  });
  await book('budget', {
    type: 'TokenBudgetSet',
    data: { userId, tokenId: 7, unlimited: false, remain: 60_000 },
  });
  const lease = {
    userId,
    tokenId: 7,
    leaseId,
    relayId: 'relay-a',
    amount: 20_000,
    ask: 1,
    producerId: 1,
  };
  await book('leased', { type: 'QuotaLeased', data: lease }, relay);
  await charge('req-1', 1);
  await charge('req-2', 2);
  const abandoned = { userId, relayId: 'relay-a', tokenId: 7, leaseId, reserved: 500 };
  await book('abandoned', {
    type: 'RequestAbandoned',
    data: { ...abandoned, requestId: 'req-3' },
  });
  await book('late', { type: 'RequestAbandoned', data: { ...abandoned, requestId: 'req-4' } });
  await charge('req-4', 4);
  const { call } = aRequestCharged({ call: { requestId: 'req-5' } }).data;
  const failure = { statusCode: 502, errorType: 'upstream_error', errorCode: '', message: 'no' };
  const failed = { type: 'RequestFailed', data: { userId, call, ...failure } };
  await tell('failed', ['relay-relay-a', failed, relay]);
  balance += 1_000;
  await book('refunded', {
    type: 'RequestRefunded',
    data: {
      userId,
      requestId: 'req-1',
      tokenId: 7,
      amount: 1_000,
      reason: 'half an answer',
      balanceAfter: balance,
    },
  });
  const unspent = 20_000 - 3 * 3_625;
  const returned = { userId, leaseId, unspent, closes: true };
  await book('returned', { type: 'LeaseReturned', data: returned }, relay);
  balance += 250;
  await book(
    'corrected',
    {
      type: 'CorrectionPosted',
      data: { userId, delta: 250, corrects: ['req-2'], reason: 'bonus', balanceAfter: balance },
    },
    { actor: { kind: 'admin', id: '1', ip: '192.0.2.1' } },
  );
  return ids;
};
