import { describe, expect, test } from 'vitest';
import { deciderSpec, fold } from '../../tests/support/decider-spec.ts';
import {
  aChangeRedemption,
  aCreateRedemption,
  aRedeemCode,
  aRedemptionCommand,
  aRedemptionCreated,
  aRedemptionEvent,
  aRedemptionRedeemed,
} from '../../tests/support/redemption-examples.ts';
import { redemptionDecider } from './decider.ts';

const given = deciderSpec(redemptionDecider);

test('a code may be worth a single unit', () =>
  given()
    .when(aCreateRedemption({ quota: 1 }))
    .thenEvents(aRedemptionCreated({ quota: 1 })));

describe('a change', () => {
  test('to a quota of nothing is refused', () =>
    given(aRedemptionCreated())
      .when(aChangeRedemption('spring', 0))
      .thenRejected('redemption.quota-invalid'));
  test.each([
    ['summer', 100_000],
    ['spring', 5],
  ])('of one field alone, to %s and %s, is a change', (name, quota) =>
    given(aRedemptionCreated())
      .when(aChangeRedemption(name, quota, 3))
      .thenEvents({
        type: 'RedemptionChanged',
        data: {
          redemptionId: 9,
          name,
          quota,
          previous: { name: 'spring', quota: 100_000 },
          changedBy: 3,
        },
      }),
  );
});

test('disabling a disabled code changes nothing', () =>
  given(aRedemptionCreated(), aRedemptionEvent('RedemptionDisabled'))
    .when(aRedemptionCommand('DisableRedemption'))
    .thenNothing());

test('a code that is enabled again can be redeemed', () =>
  given(
    aRedemptionCreated(),
    aRedemptionEvent('RedemptionDisabled'),
    aRedemptionEvent('RedemptionEnabled'),
  )
    .when(aRedeemCode())
    .thenEvents(aRedemptionRedeemed()));

test('a code that is enabled again is not enabled twice', () =>
  given(
    aRedemptionCreated(),
    aRedemptionEvent('RedemptionDisabled'),
    aRedemptionEvent('RedemptionEnabled'),
  )
    .when(aRedemptionCommand('EnableRedemption'))
    .thenNothing());

describe('events of a code that is not there change nothing', () => {
  test('before it is made', () =>
    expect(fold(redemptionDecider, [aRedemptionEvent('RedemptionEnabled')])).toEqual({
      status: 'absent',
    }));
  test('after it is deleted', () =>
    expect(
      fold(redemptionDecider, [
        aRedemptionCreated(),
        aRedemptionEvent('RedemptionDeleted'),
        aRedemptionEvent('RedemptionEnabled'),
      ]),
    ).toEqual({ status: 'deleted' }));
});
