import { randomUUID } from 'node:crypto';
import { price } from '../../domain/pricing/price.ts';
import type { Event, Metadata } from '../../domain/shared/event.ts';
import { aChannelCreated } from '../../tests/support/channel-examples.ts';
import { aTokenCreated } from '../../tests/support/token-examples.ts';
import { aUserRegistered } from '../../tests/support/user-examples.ts';
import type { EventStore, EventToAppend } from '../ports/event-store.ts';
import { usageRecord } from './ledger-engines.ts';

/** Charges of one lease, which are one append with it. */
const chargesOfLease = 98;
const relayId = 'bench';
const channelId = 1;
const granted = 1_000_000_000_000;

const recordOf = (event: Event, kind: 'relay' | 'system'): EventToAppend => {
  const id = randomUUID();
  const metadata: Metadata = {
    actor: { kind, id: relayId },
    correlationId: id,
    causationId: id,
    commandId: id,
    occurredAt: new Date().toISOString(),
  };
  return { event, eventId: id, metadata };
};

type Account = { balance: number; sequence: number; leases: number };

/** A lease, the charges under it, and what is left of it given back. */
const leaseOf = (userId: number, account: Account): readonly EventToAppend[] => {
  const leaseId = `${relayId}.${userId}.${userId}.${++account.leases}`;
  const ids = { userId, leaseId };
  const { usage, quote } = usageRecord(userId, 0);
  const cost = price(usage, quote);
  const amount = cost * chargesOfLease;
  const leased = { ...ids, tokenId: userId, relayId, amount, ask: account.leases, producerId: 1 };
  const events = [recordOf({ type: 'QuotaLeased', data: leased }, 'relay')];
  for (let charge = 0; charge < chargesOfLease; charge += 1) {
    account.balance -= cost;
    account.sequence += 1;
    const { relayId: _relay, kind: _kind, ...record } = usageRecord(userId, account.sequence);
    const usageNumber = { producerId: 1, number: account.sequence };
    const data = { ...record, ...ids, usageNumber, amount: cost, balanceAfter: account.balance };
    events.push(recordOf({ type: 'RequestCharged', data }, 'relay'));
  }
  const returned = { ...ids, unspent: 0, closes: true };
  events.push(recordOf({ type: 'LeaseReturned', data: returned }, 'relay'));
  return events;
};

/** A log of people who call: each has a token, and all go through one channel. */
export const createVerifyLog = (eventStore: EventStore, people: number) => {
  const accounts = new Map<number, Account>();
  const append = async (streamId: string, events: readonly EventToAppend[]): Promise<number> => {
    await eventStore.append(streamId, [...events], 'any');
    return events.length;
  };
  const tell = (streamId: string, event: Event) => append(streamId, [recordOf(event, 'system')]);
  const admit = async (userId: number): Promise<number> => {
    const token = aTokenCreated();
    const own = { tokenId: userId, userId, keyHash: `hash-${userId}` };
    const grant = {
      userId,
      amount: granted,
      source: 'setup',
      reference: '',
      balanceAfter: granted,
    };
    accounts.set(userId, { balance: granted, sequence: 0, leases: 0 });
    const key = { type: 'PersonalKeyCreated', data: { userId, wrappedKey: 'bench' } };
    const budget = { userId, tokenId: userId, unlimited: true, remain: 0 };
    return (
      (await tell(`personalKey-${userId}`, key)) +
      (await tell(`user-${userId}`, aUserRegistered({ userId, username: `user-${userId}` }))) +
      (await tell(`token-${userId}`, { ...token, data: { ...token.data, ...own } })) +
      (await append(`account-${userId}`, [
        recordOf({ type: 'AccountOpened', data: { userId } }, 'system'),
        recordOf({ type: 'QuotaGranted', data: grant }, 'system'),
        recordOf({ type: 'TokenBudgetSet', data: budget }, 'system'),
      ]))
    );
  };
  const found = async (): Promise<number> => {
    const { data, ...channel } = aChannelCreated();
    let events = await tell(`channel-${channelId}`, { ...channel, data: { ...data, channelId } });
    for (let userId = 1; userId <= people; userId += 1) events += await admit(userId);
    return events;
  };
  let count = 0;
  return {
    /** Returns the number of events then, a little more than requested. */
    fill: async (events: number): Promise<number> => {
      if (count === 0) count = await found();
      while (count < events) {
        for (const [userId, account] of accounts) {
          if (count >= events) break;
          count += await append(`account-${userId}`, leaseOf(userId, account));
        }
      }
      return count;
    },
  };
};
