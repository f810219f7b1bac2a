import { beforeEach, describe, expect, test } from 'vitest';
import { createAccountState } from '../../domain/account/state.ts';
import {
  aFailedRecord,
  aLeaseIdle,
  aQuotaLeased,
  aStartedRecord,
  aUsedRecord,
  leaseId,
  relayId,
  userId,
} from '../../tests/support/account-examples.ts';
import { CommandMemory } from '../commands/command-memory.ts';
import { LeaseWatch } from './lease-watch.ts';
import type { LoadedAccount } from './load-account.ts';

let now = 0;
let watch: LeaseWatch;
beforeEach(() => {
  now = 1_000;
  watch = new LeaseWatch(() => now);
});

/** An account with leases of these relays, one for each pair of relay and token. */
const account = (...held: readonly (readonly [relay: string, token: number])[]): LoadedAccount => {
  const state = createAccountState();
  const plain = { amount: 10, spent: 0, firstAsk: 1, ask: 1, lastGrant: 10 };
  for (const [relay, token] of held) {
    state.leases.set(`${relay}.${userId}.${token}`, { relayId: relay, tokenId: token, ...plain });
  }
  return { userId, state, commands: new CommandMemory(), position: null, eventsSinceSnapshot: 0 };
};
const expired = {
  type: 'LeaseExpired',
  data: { userId, leaseId, unspent: 5, closes: true },
} as const;
const returned = {
  type: 'LeaseReturned',
  data: { userId, leaseId, unspent: 5, closes: true },
} as const;
const openIds = () => watch.openOf(relayId).map(({ requestId }) => requestId);

test('an account with leases is quiet after that long without an event, and is named once', () => {
  watch.loaded(account([relayId, 70]));
  now += 60_000;
  watch.appended(account([relayId, 70]), [aQuotaLeased(10)]);
  now += 59_999;
  expect(watch.quietFor(60_000)).toEqual([]);
  now += 1;
  expect(watch.quietFor(60_000)).toEqual([userId]);
  expect(watch.quietFor(60_000)).toEqual([]);
  now += 60_000;
  expect(watch.quietFor(60_000)).toEqual([userId]);
  watch.appended(account(), [returned]);
  now += 60_000;
  expect(watch.quietFor(60_000)).toEqual([]);
});

describe('a relay', () => {
  test('is silent once it sent nothing for the whole time', () => {
    watch.reported(relayId);
    now += 29_999;
    expect([watch.silentFor(30_000), watch.isSilent(relayId, 30_000)]).toEqual([[], false]);
    now += 1;
    expect([watch.silentFor(30_000), watch.isSilent(relayId, 30_000)]).toEqual([[relayId], true]);
    watch.reported(relayId);
    expect([watch.silentFor(30_000), watch.isSilent(relayId, 30_000)]).toEqual([[], false]);
  });
  test('that never sent anything is not silent and holds nothing', () => {
    expect(watch.isSilent('unknown', 0)).toBe(false);
    expect([watch.holdsOf('unknown'), watch.openOf('unknown')]).toEqual([[], []]);
  });
  test('that only has leases has the whole time from then', () => {
    watch.loaded(account([relayId, 70]));
    now += 29_999;
    expect(watch.silentFor(30_000)).toEqual([]);
    now += 1;
    expect(watch.silentFor(30_000)).toEqual([relayId]);
  });
  test('is dropped only with nothing left', () => {
    watch.reported(relayId);
    watch.appended(account([relayId, 70]), [aQuotaLeased(10)]);
    watch.forget(relayId);
    expect(watch.counts()).toEqual({ leases: 1, open: 0, relays: 1 });
    watch.appended(account(), [expired]);
    watch.follow(aStartedRecord());
    watch.forget(relayId);
    expect(watch.counts()).toEqual({ leases: 0, open: 1, relays: 1 });
    watch.closed(relayId, 'req-1');
    watch.forget(relayId);
    watch.forget('unknown');
    expect(watch.counts()).toEqual({ leases: 0, open: 0, relays: 0 });
  });
});

describe('leases', () => {
  test('are held from their grant to their end', () => {
    watch.appended(account([relayId, 70]), [aQuotaLeased(10)]);
    expect([watch.holdsOf(relayId), watch.holdsAny(userId)]).toEqual([[userId], true]);
    expect(watch.holdsAny(8)).toBe(false);
    watch.appended(account(), [expired]);
    expect([watch.holdsOf(relayId), watch.holdsAny(userId)]).toEqual([[], false]);
  });
  test('are held while a return leaves something, or another token has one', () => {
    watch.appended(account([relayId, 70]), [aQuotaLeased(10)]);
    watch.appended(account([relayId, 71]), [returned]);
    expect(watch.holdsOf(relayId)).toEqual([userId]);
    watch.appended(account(['relay-b', 70]), [returned]);
    expect(watch.holdsOf(relayId)).toEqual([]);
  });
  test('are not ended by other events', () => {
    watch.appended(account([relayId, 70]), [aQuotaLeased(10)]);
    watch.appended(account(), [{ type: 'AccountOpened', data: { userId } }]);
    expect(watch.holdsOf(relayId)).toEqual([userId]);
  });
  test('are those of the log where an account is read again', () => {
    watch.loaded(account(['relay-b', 70], ['relay-c', 70]));
    watch.loaded(account([relayId, 70]));
    expect(['relay-b', 'relay-c', relayId].map((id) => watch.holdsOf(id))).toEqual([
      [],
      [],
      [userId],
    ]);
    expect(watch.counts()).toEqual({ leases: 1, open: 0, relays: 3 });
  });
});

describe('requests in flight', () => {
  const started = (requestId: string, user = userId) => aStartedRecord({ requestId, userId: user });

  test('end with a charge, a failure or a loss, and with nothing else', () => {
    for (const id of ['a', 'b', 'c', 'd']) watch.follow(started(id));
    watch.follow(aUsedRecord({ call: { requestId: 'a' } }));
    watch.follow(aFailedRecord({ call: { requestId: 'b' } }));
    watch.follow({ ...started('c'), kind: 'lost' });
    watch.follow(aLeaseIdle());
    expect(openIds()).toEqual(['d']);
    watch.follow({ ...started('d'), kind: 'lost', relayId: 'unknown' });
    expect(openIds()).toEqual(['d']);
  });
  test('go to the next keeper with their partition, and stay with this one otherwise', () => {
    watch.follow(started('a', 7));
    watch.follow(started('b', 8));
    watch.follow(started('c', 7));
    const taken = watch.takeOpen((user) => user === 7).map(({ requestId }) => requestId);
    expect([taken, openIds()]).toEqual([['a', 'c'], ['b']]);
  });
});
