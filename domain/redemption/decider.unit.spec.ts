import { describe, test } from 'vitest';
import { deciderSpec } from '../../tests/support/decider-spec.ts';
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
import type { RedemptionChanged } from './events.ts';

const given = deciderSpec(redemptionDecider);

describe('a code', () => {
  test('is made with its quota', () =>
    given().when(aCreateRedemption()).thenEvents(aRedemptionCreated()));
  test('is made once', () =>
    given(aRedemptionCreated())
      .when(aCreateRedemption())
      .thenRejected('redemption.already-created'));
  test.each([0, -1, 0.5])('is never worth %s', (quota) =>
    given().when(aCreateRedemption({ quota })).thenRejected('redemption.quota-invalid'),
  );
  test.each(['', '   ', '一'.repeat(21)])('is not named %j', (name) =>
    given().when(aCreateRedemption({ name })).thenRejected('redemption.name-length', { max: 20 }),
  );
  test('may have a name of twenty Chinese characters', () =>
    given()
      .when(aCreateRedemption({ name: '一'.repeat(20) }))
      .thenEvents(aRedemptionCreated({ name: '一'.repeat(20) })));
});

describe('an unused code', () => {
  test('is redeemed for its quota', () =>
    given(aRedemptionCreated()).when(aRedeemCode()).thenEvents(aRedemptionRedeemed()));
  test('a code that brings more than the account can take in stays unused', () => {
    const { quota } = aRedemptionCreated().data;
    const code = given(aRedemptionCreated());
    code
      .when(aRedeemCode(42, quota - 1))
      .thenRejected('redemption.account-full', { quota, room: quota - 1 });
    code.when(aRedeemCode(42, quota)).thenEvents(aRedemptionRedeemed());
  });
  test('is redeemed for the quota it was changed to', () =>
    given(aRedemptionCreated())
      .when(aChangeRedemption('summer', 5))
      .thenState({ status: 'unused', name: 'summer', quota: 5 }));
  test('is disabled, and enabled again', () => {
    given(aRedemptionCreated())
      .when(aRedemptionCommand('DisableRedemption'))
      .thenEvents(aRedemptionEvent('RedemptionDisabled'));
    given(aRedemptionCreated(), aRedemptionEvent('RedemptionDisabled'))
      .when(aRedemptionCommand('EnableRedemption'))
      .thenEvents(aRedemptionEvent('RedemptionEnabled'));
  });
  test('stays as it is when nothing would change', () => {
    given(aRedemptionCreated()).when(aRedemptionCommand('EnableRedemption')).thenNothing();
    given(aRedemptionCreated()).when(aChangeRedemption('spring', 100_000)).thenNothing();
  });
});

describe('a disabled code', () => {
  const disabled = [aRedemptionCreated(), aRedemptionEvent('RedemptionDisabled')];
  test('is not redeemed', () =>
    given(...disabled)
      .when(aRedeemCode())
      .thenRejected('redemption.disabled'));
  test('is not changed', () =>
    given(...disabled)
      .when(aChangeRedemption('x', 1))
      .thenRejected('redemption.disabled'));
});

describe('a used code', () => {
  const used = [aRedemptionCreated(), aRedemptionRedeemed()];
  test.each([
    aRedeemCode(),
    aRedeemCode(43),
    aRedemptionCommand('EnableRedemption'),
    aRedemptionCommand('DisableRedemption'),
    aChangeRedemption('again', 1),
  ])('stays used: $type', (command) =>
    given(...used)
      .when(command)
      .thenRejected('redemption.already-used'),
  );
});

test('a deleted code is unknown to everybody', () =>
  given(aRedemptionCreated(), aRedemptionEvent('RedemptionDeleted'))
    .when(aRedeemCode())
    .thenRejected('redemption.unknown-code'));

describe('a code is not redeemed', () => {
  const changed = (name: string, quota: number): RedemptionChanged => ({
    type: 'RedemptionChanged',
    data: {
      redemptionId: 9,
      name,
      quota,
      previous: { name: 'spring', quota: 100_000 },
      changedBy: 7,
    },
  });
  test('by its maker', () =>
    given(aRedemptionCreated()).when(aRedeemCode(1)).thenRejected('redemption.own-code'));
  test('by the person who set its quota', () =>
    given(aRedemptionCreated(), changed('spring', 900))
      .when(aRedeemCode(7))
      .thenRejected('redemption.own-code'));
  test('but is, by the person who only renamed it', () =>
    given(aRedemptionCreated(), changed('summer', 100_000))
      .when(aRedeemCode(7))
      .thenEvents(aRedemptionRedeemed(7)));
});
