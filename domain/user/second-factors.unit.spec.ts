import { describe, expect, test } from 'vitest';
import { deciderSpec } from '../../tests/support/decider-spec.ts';
import {
  aPasskeyAdded,
  aRecoveryCodesIssued,
  aTotpEnrolled,
  aUserCommand,
  aUserDeleted,
  aUserRegistered,
} from '../../tests/support/user-examples.ts';
import { userDecider } from './decider.ts';
import type { UserEvent } from './events.ts';

const given = deciderSpec(userDecider);

const ada = { userId: 42 };
const codes = ['hash-1', 'hash-2'];
const purpose = 'sign-in';
const totp = { secret: 'sealed:secret', timeStep: 100, recoveryCodeHashes: codes };
const { userId: _, ...key } = aPasskeyAdded().data;
const passkey = { ...key, recoveryCodeHashes: codes };
const used = (counter: number): UserEvent => ({
  type: 'PasskeyUsed',
  data: { ...ada, credentialId: key.credentialId, counter, purpose },
});
const factorsAfter = (...events: readonly UserEvent[]) => {
  const state = events.reduce(userDecider.evolve, userDecider.initialState);
  return state.status === 'absent' ? null : state.secondFactors;
};

describe('the authenticator app', () => {
  test('as the first factor it brings recovery codes', () =>
    given(aUserRegistered())
      .when(aUserCommand('EnrolTotp', totp))
      .thenEvents(aTotpEnrolled(), aRecoveryCodesIssued(codes)));

  test('next to a passkey it leaves the recovery codes unchanged', () =>
    given(aUserRegistered(), aPasskeyAdded(), aRecoveryCodesIssued(['kept']))
      .when(aUserCommand('EnrolTotp', totp))
      .thenEvents(aTotpEnrolled()));

  test('is enrolled once', () =>
    given(aUserRegistered(), aTotpEnrolled())
      .when(aUserCommand('EnrolTotp', totp))
      .thenRejected('user.totp-already-enrolled'));

  test('a code of a later time step counts', () =>
    given(aUserRegistered(), aTotpEnrolled())
      .when(aUserCommand('UseTotpCode', { timeStep: 101, purpose }))
      .thenEvents({ type: 'TotpCodeUsed', data: { ...ada, timeStep: 101, purpose } }));

  test.each([100, 99])('the code of time step %i counts no second time', (timeStep) =>
    given(aUserRegistered(), aTotpEnrolled())
      .when(aUserCommand('UseTotpCode', { timeStep, purpose }))
      .thenRejected('user.totp-code-used'),
  );

  test('a code used to sign in confirms nothing afterwards', () =>
    given(aUserRegistered(), aTotpEnrolled(), {
      type: 'TotpCodeUsed',
      data: { ...ada, timeStep: 101, purpose },
    })
      .when(aUserCommand('UseTotpCode', { timeStep: 101, purpose: 'confirmation' }))
      .thenRejected('user.totp-code-used'));

  test('without one no code is right', () =>
    given(aUserRegistered(), aPasskeyAdded())
      .when(aUserCommand('UseTotpCode', { timeStep: 101, purpose }))
      .thenRejected('user.totp-not-enrolled'));
});

describe('recovery codes', () => {
  const withCodes = [aUserRegistered(), aTotpEnrolled(), aRecoveryCodesIssued(codes)] as const;
  const use = { codeHash: 'hash-1', purpose } as const;
  const spent: UserEvent = { type: 'RecoveryCodeUsed', data: { ...ada, ...use } };

  test('each works once', () => {
    given(...withCodes)
      .when(aUserCommand('UseRecoveryCode', use))
      .thenEvents(spent);
    given(...withCodes, spent)
      .when(aUserCommand('UseRecoveryCode', use))
      .thenRejected('user.recovery-code-wrong');
  });

  test('a new set replaces all of the old one', () =>
    given(...withCodes, aRecoveryCodesIssued(['new']))
      .when(aUserCommand('UseRecoveryCode', use))
      .thenRejected('user.recovery-code-wrong'));

  test('are for those who have a factor', () =>
    given(aUserRegistered())
      .when(aUserCommand('IssueRecoveryCodes', { codeHashes: codes }))
      .thenRejected('user.no-second-factor'));

  test('go with the last factor', () => {
    const removed: UserEvent = { type: 'TotpRemoved', data: ada };
    expect(factorsAfter(...withCodes, removed)?.recoveryCodeHashes).toEqual([]);
    const kept = factorsAfter(...withCodes, aPasskeyAdded(), removed);
    expect(kept?.recoveryCodeHashes).toEqual(codes);
  });
});

describe('passkeys', () => {
  test('the first one brings recovery codes', () =>
    given(aUserRegistered())
      .when(aUserCommand('AddPasskey', passkey))
      .thenEvents(aPasskeyAdded(), aRecoveryCodesIssued(codes)));

  test('one is added once', () =>
    given(aUserRegistered(), aPasskeyAdded())
      .when(aUserCommand('AddPasskey', passkey))
      .thenRejected('user.passkey-already-added'));

  test('there are at most twenty', () => {
    const twenty = Array.from({ length: 20 }, (_each, nth) =>
      aPasskeyAdded({ credentialId: `key-${nth}` }),
    );
    given(aUserRegistered(), ...twenty)
      .when(aUserCommand('AddPasskey', passkey))
      .thenRejected('user.too-many-passkeys');
  });

  test('a counter that grew is kept', () => {
    given(aUserRegistered(), aPasskeyAdded())
      .when(aUserCommand('UsePasskey', { credentialId: key.credentialId, counter: 4, purpose }))
      .thenEvents(used(4));
    expect(factorsAfter(aUserRegistered(), aPasskeyAdded(), used(4))?.passkeys[0]?.counter).toBe(4);
  });

  test('a counter that did not grow reveals a copy', () =>
    given(aUserRegistered(), aPasskeyAdded(), used(4))
      .when(aUserCommand('UsePasskey', { credentialId: key.credentialId, counter: 4, purpose }))
      .thenRejected('user.passkey-copied'));

  test('passkeys that are synchronised count nothing and work', () =>
    given(aUserRegistered(), aPasskeyAdded({ counter: 0 }))
      .when(aUserCommand('UsePasskey', { credentialId: key.credentialId, counter: 0, purpose }))
      .thenEvents(used(0)));

  test('one that is not there is neither renamed nor removed', () => {
    const unknown = { credentialId: 'other' };
    given(aUserRegistered(), aPasskeyAdded())
      .when(aUserCommand('RemovePasskey', unknown))
      .thenRejected('user.passkey-unknown');
    given(aUserRegistered(), aPasskeyAdded())
      .when(aUserCommand('RenamePasskey', { ...unknown, name: 'sealed:x' }))
      .thenRejected('user.passkey-unknown');
  });
});

describe('an administrator', () => {
  const remove = { actorRole: 10, reason: 'lost phone, asked by phone' } as const;

  test('removes all factors of a user below, with the reason', () =>
    given(aUserRegistered(), aTotpEnrolled(), aPasskeyAdded())
      .when(aUserCommand('RemoveSecondFactors', remove))
      .thenEvents({ type: 'SecondFactorsRemoved', data: { ...ada, reason: remove.reason } }));

  test('requires a reason', () =>
    given(aUserRegistered(), aTotpEnrolled())
      .when(aUserCommand('RemoveSecondFactors', { actorRole: 10, reason: ' ' }))
      .thenRejected('user.reason-needed'));

  test('does not touch the factors of an equal', () =>
    given(aUserRegistered({ role: 10 }), aTotpEnrolled())
      .when(aUserCommand('RemoveSecondFactors', remove))
      .thenRejected('user.above-you'));

  test('removes nothing where there is nothing', () =>
    given(aUserRegistered()).when(aUserCommand('RemoveSecondFactors', remove)).thenEvents());
});

test('a deleted person enrols nothing', () =>
  given(aUserRegistered(), aUserDeleted())
    .when(aUserCommand('EnrolTotp', totp))
    .thenRejected('user.deleted'));
