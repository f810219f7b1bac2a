import { describe, test } from 'vitest';
import {
  anAccountCommand,
  anAccountOpened,
  aQuotaGranted,
  userId,
} from '../../tests/support/account-examples.ts';
import { deciderSpec } from '../../tests/support/decider-spec.ts';
import { accountDecider } from './decider.ts';
import type { AccountEvent } from './events.ts';

const given = deciderSpec(accountDecider);
const funded = (balance: number): AccountEvent[] => [anAccountOpened, aQuotaGranted(balance)];

describe('granting', () => {
  test('a grant raises the balance and contains the balance after it', () =>
    given(anAccountOpened)
      .when(
        anAccountCommand('GrantQuota', {
          userId,
          amount: 1_000,
          source: 'topup',
          reference: 'trade-1',
        }),
      )
      .thenEvents(aQuotaGranted(1_000)));

  test('nothing is granted to an account that was not opened', () =>
    given()
      .when(anAccountCommand('GrantQuota', { userId, amount: 1, source: 'topup', reference: 't' }))
      .thenRejected('account.not-open'));

  test.each([-1, 0.5, Number.NaN, 2 ** 53])('a grant of %s units is refused', (amount) =>
    given(anAccountOpened)
      .when(anAccountCommand('GrantQuota', { userId, amount, source: 'topup', reference: 't' }))
      .thenRejected('account.invalid-amount'),
  );

  test('a balance never leaves the range in which numbers count exactly', () =>
    given(...funded(Number.MAX_SAFE_INTEGER))
      .when(anAccountCommand('GrantQuota', { userId, amount: 1, source: 'topup', reference: 't' }))
      .thenRejected('account.overflow'));

  test('an adjustment is relative to the current balance, whatever the person saw', () => {
    const reason = { kind: 'set-by-admin', note: 'fix' } as const;
    given(...funded(1_000))
      .when(anAccountCommand('AdjustQuota', { userId, delta: -300, seen: 900, reason }))
      .thenEvents({
        type: 'QuotaAdjusted',
        data: { userId, delta: -300, seen: 900, reason, balanceAfter: 700 },
      });
  });

  test('a reward can be transferred once it was earned, and not twice', () => {
    const rewarded: AccountEvent = {
      type: 'ReferralRewarded',
      data: { userId, amount: 100, inviteeId: 8 },
    };
    const transferred: AccountEvent = {
      type: 'ReferralRewardTransferred',
      data: { userId, amount: 100, balanceAfter: 100 },
    };
    const transfer = anAccountCommand('TransferReferralReward', { userId, amount: 100 });
    given(anAccountOpened, rewarded).when(transfer).thenEvents(transferred);
    given(anAccountOpened, rewarded, transferred)
      .when(transfer)
      .thenRejected('account.reward-exhausted', { left: 0 });
  });
});
