import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  aCall,
  anAccountCommand,
  aUsedRecord,
  userId,
} from '../../tests/support/account-examples.ts';
import type { AccountCommand } from './commands.ts';
import { decideAccount } from './decider.ts';
import { applyAccountEvent } from './decider-evolve.ts';
import type { AccountEvent } from './events.ts';
import {
  type AccountState,
  availableBalance,
  availableOfToken,
  createAccountState,
  outstanding,
  producerOf,
} from './state.ts';

const relays = ['relay-a', 'relay-b'];
const tokens = [0, 70, 71];
const amount = fc.integer({ min: 0, max: 5_000 });
const relay = fc.constantFrom(...relays);
const token = fc.constantFrom(...tokens);

type Step = (nth: number, state: AccountState) => AccountCommand;

/** The open lease of a relay and token, or one that there has not been. */
const leaseIdOf = (state: AccountState, relayId: string, tokenId: number): string => {
  for (const [leaseId, lease] of state.leases) {
    if (lease.relayId === relayId && lease.tokenId === tokenId) return leaseId;
  }
  const closed = [...state.producers.values()].map(({ closedLease }) => closedLease);
  return `${relayId}.${userId}.${tokenId}.${Math.max(0, ...closed) + 1}`;
};

const grant = amount.map(
  (units): Step =>
    () =>
      anAccountCommand('GrantQuota', { userId, amount: units, source: 'topup', reference: 't' }),
);
const adjust = fc.integer({ min: -3_000, max: 3_000 }).map(
  (delta): Step =>
    () =>
      anAccountCommand('AdjustQuota', {
        userId,
        delta,
        seen: null,
        reason: { kind: 'set-by-admin', note: 'r' },
      }),
);
const budget = fc.tuple(token, amount, fc.boolean()).map(
  ([tokenId, remain, unlimited]): Step =>
    () =>
      anAccountCommand('SetTokenBudget', { userId, tokenId, remain, unlimited }),
);
const lease = fc.tuple(relay, token, amount).map(
  ([relayId, tokenId, need]): Step =>
    (ask, state) =>
      anAccountCommand('LeaseQuota', {
        userId,
        tokenId,
        relayId,
        leaseId: leaseIdOf(state, relayId, tokenId),
        need,
        ask,
      }),
);
const giveBack = fc.tuple(relay, token, amount).map(
  ([relayId, tokenId, unspent]): Step =>
    (_nth, state) =>
      anAccountCommand('ReturnLease', {
        userId,
        relayId,
        leaseId: leaseIdOf(state, relayId, tokenId),
        unspent,
        usageNumber: { producerId: 99, number: 1 },
        closes: unspent % 2 === 0,
      }),
);
const expire = fc.tuple(relay, token).map(
  ([relayId, tokenId]): Step =>
    (_nth, state) =>
      anAccountCommand('ExpireLease', { userId, leaseId: leaseIdOf(state, relayId, tokenId) }),
);
/** `offset` 0: the next of its producer; below: an earlier one; above: one that is too early. */
const charge = fc.tuple(relay, token, amount, fc.integer({ min: -6, max: 2 })).map(
  ([relayId, tokenId, units, offset]): Step =>
    (_nth, state) => {
      const producerId = producerOf(state, relayId) ?? state.nextProducerId;
      const settled = state.producers.get(producerId)?.settledThrough ?? 0;
      const number = Math.max(1, settled + 1 + (offset % 3 === 0 ? 0 : offset));
      const leaseId = leaseIdOf(state, relayId, tokenId);
      const call = aCall({ requestId: `${relayId}/${producerId}/${number}`, relayId, tokenId });
      const usageNumber = { producerId, number };
      const record = aUsedRecord({ amount: units, usageNumber, leaseId, call });
      const { kind: _kind, relayId: _relay, ...data } = record;
      return anAccountCommand('ChargeRequest', data);
    },
);
const refund = fc.tuple(token, amount).map(
  ([tokenId, units]): Step =>
    (nth) =>
      anAccountCommand('RefundRequest', {
        userId,
        requestId: `req-${nth}`,
        amount: units,
        reason: 'r',
        charge: { amount: 2_500, refunded: 0, tokenId },
      }),
);

const steps = fc.array(
  fc.oneof(grant, adjust, budget, lease, lease, charge, charge, giveBack, expire, refund),
  {
    maxLength: 80,
  },
);

const movement = (event: AccountEvent): number => {
  switch (event.type) {
    case 'QuotaGranted':
    case 'RequestRefunded':
      return event.data.amount;
    case 'QuotaAdjusted':
      return event.data.delta;
    case 'RequestCharged':
      return -event.data.amount;
    default:
      return 0;
  }
};

const sumOfLeases = (state: AccountState, tokenId?: number): number =>
  [...state.leases.values()]
    .filter((held) => tokenId === undefined || held.tokenId === tokenId)
    .reduce((sum, held) => sum + outstanding(held), 0);

/** Runs the commands one after the other and calls `check` after each event. */
const play = (
  commands: readonly Step[],
  check: (state: AccountState, event: AccountEvent) => void,
): AccountState => {
  const state = createAccountState();
  applyAccountEvent(state, { type: 'AccountOpened', data: { userId } });
  for (const [index, step] of commands.entries()) {
    const decision = decideAccount(step(index + 1, state), state);
    if (decision.kind === 'rejected') continue;
    for (const event of decision.events) {
      applyAccountEvent(state, event);
      check(state, event);
    }
  }
  return state;
};

test('no sequence of commands sets more aside than the balance holds', () => {
  fc.assert(
    fc.property(steps, (commands) => {
      play(commands, (state, event) => {
        if (event.type !== 'QuotaLeased') return;
        expect(sumOfLeases(state)).toBeLessThanOrEqual(state.balance);
        expect(availableBalance(state)).toBeGreaterThanOrEqual(0);
        const ofToken = availableOfToken(state, event.data.tokenId);
        if (ofToken !== null) expect(ofToken).toBeGreaterThanOrEqual(0);
      });
    }),
    { numRuns: 400 },
  );
});

test('the balance is what was granted and adjusted, less charges, plus refunds', () => {
  fc.assert(
    fc.property(steps, (commands) => {
      let expected = 0;
      play(commands, (state, event) => {
        expected += movement(event);
        expect(state.balance).toBe(expected);
        if ('balanceAfter' in event.data) expect(event.data.balanceAfter).toBe(expected);
      });
    }),
    { numRuns: 400 },
  );
});

test('what is reserved is the sum of what the leases hold, for each token too', () => {
  fc.assert(
    fc.property(steps, (commands) => {
      const state = play(commands, () => undefined);
      expect(state.reserved).toBe(sumOfLeases(state));
      for (const tokenId of tokens) {
        expect(state.reservedByToken.get(tokenId) ?? 0).toBe(sumOfLeases(state, tokenId));
      }
    }),
    { numRuns: 400 },
  );
});

const closing = fc.tuple(relay, fc.integer({ min: -2, max: 1 })).map(
  ([relayId, offset]): Step =>
    (_nth, state) => {
      const producerId = producerOf(state, relayId) ?? 1;
      const settled = state.producers.get(producerId)?.settledThrough ?? 0;
      const last = Math.max(0, settled + offset);
      return anAccountCommand('CloseProducer', { userId, relayId, producerId, last });
    },
);

test('the numbers of a producer are charged in order, and none after its end', () => {
  const withEnds = fc.array(fc.oneof(grant, lease, charge, charge, charge, closing), {
    maxLength: 120,
  });
  fc.assert(
    fc.property(withEnds, (commands) => {
      const last = new Map<number, number>();
      const closed = new Set<number>();
      play(commands, (_state, event) => {
        if (event.type === 'ProducerClosed') closed.add(event.data.producerId);
        if (event.type !== 'RequestCharged' || event.data.usageNumber === undefined) return;
        const { producerId, number } = event.data.usageNumber;
        expect(closed.has(producerId)).toBe(false);
        expect(number).toBe((last.get(producerId) ?? 0) + 1);
        last.set(producerId, number);
      });
    }),
    { numRuns: 400 },
  );
});

test('no request is charged twice, in whatever order and how often its record arrives', () => {
  fc.assert(
    fc.property(steps, (commands) => {
      const seen = new Set<string>();
      play(commands, (_state, event) => {
        if (event.type !== 'RequestCharged') return;
        expect(seen.has(event.data.call.requestId)).toBe(false);
        seen.add(event.data.call.requestId);
      });
    }),
    { numRuns: 400 },
  );
});
