import { describe, test } from 'vitest';
import { deciderSpec } from '../../tests/support/decider-spec.ts';
import {
  aChangeToken,
  aCreateToken,
  aDeleteToken,
  aDisableToken,
  anEnableToken,
  aTokenChanged,
  aTokenCreated,
  aTokenEvent,
  someTerms,
} from '../../tests/support/token-examples.ts';
import { tokenDecider } from './decider.ts';

const given = deciderSpec(tokenDecider);

describe('a token', () => {
  test('is made', () => given().when(aCreateToken()).thenEvents(aTokenCreated()));
  test('is made once', () =>
    given(aTokenCreated()).when(aCreateToken()).thenRejected('token.already-created'));
  test.each([
    [{ name: '' }, 'token.name-length'],
    [{ name: '   ' }, 'token.name-length'],
    [{ name: '一'.repeat(31) }, 'token.name-length'],
    [{ remainQuota: -1 }, 'token.quota-invalid'],
    [{ remainQuota: 0.5 }, 'token.quota-invalid'],
    [{ expiredTime: 0 }, 'token.expiry-invalid'],
    [{ expiredTime: -2 }, 'token.expiry-invalid'],
    [{ modelLimits: ['m'.repeat(1025)] }, 'token.model-limits-length'],
  ] as const)('is not made with %j', (terms, code) =>
    given().when(aCreateToken(terms)).thenRejected(code),
  );
  test('may have a name of thirty Chinese characters', () =>
    given()
      .when(aCreateToken({ name: '一'.repeat(30) }))
      .thenEvents(aTokenCreated({ name: '一'.repeat(30) })));
});

describe('its owner', () => {
  test('changes it', () =>
    given(aTokenCreated())
      .when(aChangeToken({ name: 'server' }))
      .thenEvents(aTokenChanged({ terms: someTerms({ name: 'server' }) })));
  test('changes nothing by saving it as it is', () =>
    given(aTokenCreated()).when(aChangeToken()).thenNothing());
  test('does not set its budget by saving another field with an old figure', () =>
    given(aTokenCreated())
      .when(aChangeToken({ name: 'server', remainQuota: 480_000 }))
      .thenEvents(aTokenChanged({ terms: someTerms({ name: 'server' }) })));
  test('fills it up again with the figure it once had', () =>
    given(aTokenCreated())
      .when(aChangeToken({}, true))
      .thenEvents(aTokenChanged({ setsBudget: true })));
  test('gives it a budget when it is unlimited no more', () =>
    given(aTokenCreated({ unlimitedQuota: true, remainQuota: 0 }))
      .when(aChangeToken({ remainQuota: 10 }))
      .thenEvents(
        aTokenChanged({
          terms: someTerms({ remainQuota: 10 }),
          previous: someTerms({ unlimitedQuota: true, remainQuota: 0 }),
          setsBudget: true,
        }),
      ));
  test('switches it off and on', () => {
    given(aTokenCreated()).when(aDisableToken()).thenEvents(aTokenEvent('TokenDisabled'));
    given(aTokenCreated(), aTokenEvent('TokenDisabled'))
      .when(anEnableToken())
      .thenEvents(aTokenEvent('TokenEnabled'));
    given(aTokenCreated()).when(anEnableToken()).thenNothing();
    given(aTokenCreated(), aTokenEvent('TokenDisabled')).when(aDisableToken()).thenNothing();
  });
  test('deletes it', () =>
    given(aTokenCreated()).when(aDeleteToken()).thenEvents(aTokenEvent('TokenDeleted')));
});

describe('a token is not switched on', () => {
  test('after its time', () => {
    const created = aTokenCreated({ expiredTime: 1_772_000_000 });
    given(created)
      .when(anEnableToken({ nowSeconds: 1_772_000_001 }))
      .thenRejected('token.expired');
    given(created, aTokenEvent('TokenDisabled'))
      .when(anEnableToken({ nowSeconds: 1_772_000_000 }))
      .thenEvents(aTokenEvent('TokenEnabled'));
  });
  test('with nothing left to spend', () => {
    const spent = anEnableToken({ exhausted: true });
    given(aTokenCreated()).when(spent).thenRejected('token.exhausted');
    given(aTokenCreated({ unlimitedQuota: true }))
      .when(spent)
      .thenNothing();
  });
});

describe('a token is unknown', () => {
  test('to everybody but its owner', () =>
    given(aTokenCreated()).when(aDisableToken(43)).thenRejected('token.unknown'));
  test('once it is deleted', () =>
    given(aTokenCreated(), aTokenEvent('TokenDeleted'))
      .when(aDeleteToken())
      .thenRejected('token.unknown'));
  test('before it is made', () => given().when(aDisableToken()).thenRejected('token.unknown'));
});
