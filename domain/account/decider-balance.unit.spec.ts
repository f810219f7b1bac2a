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
} from './state.ts';

const relays = ['relay-a', 'relay-b'];
const tokens = [0, 70, 71];
const amount = fc.integer({ min: 0, max: 5_000 });
const relay = fc.constantFrom(...relays);
const token = fc.constantFrom(...tokens);

type Step = (nth: number) => AccountCommand;

const leaseIdOf = (relayId: string, tokenId: number) => `${relayId}.${userId}.${tokenId}`;

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
    (ask) =>
      anAccountCommand('LeaseQuota', {
        userId,
        tokenId,
        relayId,
        leaseId: leaseIdOf(relayId, tokenId),
        need,
        ask,
      }),
);
const giveBack = fc.tuple(relay, token, amount).map(
  ([relayId, tokenId, unspent]): Step =>
    () =>
      anAccountCommand('ReturnLease', { userId, leaseId: leaseIdOf(relayId, tokenId), unspent }),
);
const expire = fc.tuple(relay, token).map(
  ([relayId, tokenId]): Step =>
    () =>
      anAccountCommand('ExpireLease', { userId, leaseId: leaseIdOf(relayId, tokenId) }),
);
/** `repeat` names an earlier request again, as a queue that delivers twice does. */
const charge = fc.tuple(relay, token, amount, fc.option(fc.integer({ min: 1, max: 20 }))).map(
  ([relayId, tokenId, units, repeat]): Step =>
    (nth) => {
      const sequence = repeat === null ? nth : Math.max(1, nth - repeat);
      const leaseId = leaseIdOf(relayId, tokenId);
      const call = aCall({ requestId: `req-${sequence}`, relayId, tokenId });
      const record = aUsedRecord({ amount: units, sequence, leaseId, call });
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

/** Runs the commands one after the other and lets `check` look after each event. */
const play = (
  commands: readonly Step[],
  check: (state: AccountState, event: AccountEvent) => void,
): AccountState => {
  const state = createAccountState();
  applyAccountEvent(state, { type: 'AccountOpened', data: { userId } });
  for (const [index, step] of commands.entries()) {
    const decision = decideAccount(step(index + 1), state);
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

test('no request is charged twice, in whatever order and how often its record comes', () => {
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
