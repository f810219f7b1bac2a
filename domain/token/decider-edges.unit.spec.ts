import { describe, expect, test } from 'vitest';
import { deciderSpec, fold } from '../../tests/support/decider-spec.ts';
import {
  aChangeToken,
  aCreateToken,
  aDisableToken,
  anEnableToken,
  aTokenChanged,
  aTokenCreated,
  aTokenEvent,
  someTerms,
} from '../../tests/support/token-examples.ts';
import { tokenDecider } from './decider.ts';

const given = deciderSpec(tokenDecider);
const answerTo = (terms: Parameters<typeof aCreateToken>[0]) =>
  tokenDecider.decide(aCreateToken(terms), { status: 'absent' });

describe('a refusal of terms', () => {
  test('returns the maximum length of a name', () =>
    expect(answerTo({ name: '' })).toEqual({
      kind: 'rejected',
      code: 'token.name-length',
      details: { max: 30 },
    }));
  test('returns no length where the name is fine', () =>
    expect(answerTo({ remainQuota: -1 })).toEqual({
      kind: 'rejected',
      code: 'token.quota-invalid',
    }));
  test('meets changes as it meets new tokens', () =>
    given(aTokenCreated())
      .when(aChangeToken({ name: '' }))
      .thenRejected('token.name-length'));
});

describe('terms at their limits', () => {
  test('a time of one second after 1970 is a time', () =>
    given()
      .when(aCreateToken({ expiredTime: 1 }))
      .thenEvents(aTokenCreated({ expiredTime: 1 })));
  test('1,024 characters of models, commas included, are allowed', () => {
    const modelLimits = ['m'.repeat(512), 'n'.repeat(511)];
    given().when(aCreateToken({ modelLimits })).thenEvents(aTokenCreated({ modelLimits }));
  });
  test('1,025 characters of models, commas included, are too many', () =>
    given()
      .when(aCreateToken({ modelLimits: ['m'.repeat(512), 'n'.repeat(512)] }))
      .thenRejected('token.model-limits-length'));
});

describe('a list is changed', () => {
  const created = aTokenCreated({ modelLimits: ['a', 'b'] });
  const previous = someTerms({ modelLimits: ['a', 'b'] });
  test.each([[['a']], [['a', 'c']], [['b', 'a']], [['a', 'b', 'c']]])('to %j', (modelLimits) =>
    given(created)
      .when(aChangeToken({ modelLimits }))
      .thenEvents(aTokenChanged({ terms: someTerms({ modelLimits }), previous })),
  );
  test('not by the same list', () =>
    given(created)
      .when(aChangeToken({ modelLimits: ['a', 'b'] }))
      .thenNothing());
});

describe('what happened stays', () => {
  test('a change: the same again changes nothing', () =>
    given(aTokenCreated(), aTokenChanged({ terms: someTerms({ name: 'server' }) }))
      .when(aChangeToken({ name: 'server' }))
      .thenNothing());
  test('an enabled token can be disabled again', () =>
    given(aTokenCreated(), aTokenEvent('TokenDisabled'), aTokenEvent('TokenEnabled'))
      .when(aDisableToken())
      .thenEvents(aTokenEvent('TokenDisabled')));
  test('an enabled token is not enabled twice', () =>
    given(aTokenCreated(), aTokenEvent('TokenDisabled'), aTokenEvent('TokenEnabled'))
      .when(anEnableToken())
      .thenNothing());
  test('events before a token is made change nothing', () =>
    expect(fold(tokenDecider, [aTokenEvent('TokenDisabled'), aTokenChanged()])).toEqual({
      status: 'absent',
    }));
});
