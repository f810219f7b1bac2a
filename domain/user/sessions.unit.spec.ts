import { describe, expect, test } from 'vitest';
import { deciderSpec } from '../../tests/support/decider-spec.ts';
import {
  aSessionEnded,
  aSessionId,
  aSessionOpened,
  aUserCommand,
  aUserDisabled,
  aUserLoggedIn,
  aUserRegistered,
} from '../../tests/support/user-examples.ts';
import { userDecider } from './decider.ts';
import type { UserEvent } from './events.ts';

const given = deciderSpec(userDecider);

const one = { sessionId: aSessionId(1) };
const two = { sessionId: aSessionId(2) };
const three = { sessionId: aSessionId(3) };
const idsAfter = (...events: readonly UserEvent[]): readonly string[] => {
  const state = events.reduce(userDecider.evolve, userDecider.initialState);
  return state.status === 'absent' ? [] : state.sessions.map(({ sessionId }) => sessionId);
};

describe('signing in', () => {
  test('opens a session', () =>
    given(aUserRegistered())
      .when(aUserCommand('RecordLogin', { method: 'password', session: aSessionOpened() }))
      .thenEvents(aUserLoggedIn()));

  test('ends the oldest session when there are fifty', () => {
    const fifty = Array.from({ length: 50 }, (_, nth) =>
      aUserLoggedIn({ sessionId: aSessionId(nth) }),
    );
    const session = aSessionOpened({ sessionId: aSessionId(50) });
    given(aUserRegistered(), ...fifty)
      .when(aUserCommand('RecordLogin', { method: 'password', session }))
      .thenEvents(
        aSessionEnded({ sessionId: aSessionId(0), reason: 'superseded' }),
        aUserLoggedIn(session),
      );
  });

  test('drops sessions of thirty days ago', () => {
    const now = { ...two, openedAt: '2026-02-01T03:04:05.000Z' };
    const still = { ...three, openedAt: '2026-01-02T03:04:06.000Z' };
    const signedIn = [aUserLoggedIn(one), aUserLoggedIn(still), aUserLoggedIn(now)];
    expect(idsAfter(aUserRegistered(), ...signedIn)).toEqual([aSessionId(3), aSessionId(2)]);
  });
});

describe('one session', () => {
  const end = (reason: 'logged-out' | 'revoked', sessionId = aSessionId()) =>
    aUserCommand('EndSession', { sessionId, reason });

  test('ends, and the others continue', () => {
    given(aUserRegistered(), aUserLoggedIn(), aUserLoggedIn(two))
      .when(end('logged-out'))
      .thenEvents(aSessionEnded());
    const signedIn = [aUserLoggedIn(one), aUserLoggedIn(two)];
    expect(idsAfter(aUserRegistered(), ...signedIn, aSessionEnded())).toEqual([aSessionId(2)]);
  });

  test('that is over already is logged out of quietly', () =>
    given(aUserRegistered()).when(end('logged-out')).thenNothing());

  test('that is not theirs cannot be ended', () =>
    given(aUserRegistered(), aUserLoggedIn())
      .when(end('revoked', aSessionId(9)))
      .thenRejected('user.session-unknown'));
});

describe('ending every session', () => {
  test.each([
    ['ChangePassword', { passwordHash: 'new' }, 'PasswordChanged'],
    ['ResetPassword', { passwordHash: 'new', actorRole: 'self' }, 'PasswordReset'],
    ['EndSessions', { actorRole: 'self' }, 'SessionsEnded'],
  ] as const)('%s keeps the requesting one, under the new epoch', (type, data, event) => {
    const command = aUserCommand(type, { ...data, keptSessionId: aSessionId(2) } as never);
    const events = [aUserRegistered(), aUserLoggedIn(one), aUserLoggedIn(two)];
    given(...events)
      .when(command)
      .thenState({ sessionEpoch: 1, sessions: [{ ...two, openedAt: aSessionOpened().openedAt }] });
    const decision = userDecider.decide(
      command,
      events.reduce(userDecider.evolve, userDecider.initialState),
    );
    expect(decision).toMatchObject({
      events: [{ type: event, data: { keptSessionId: aSessionId(2) } }],
    });
  });

  test('keeps no session of another person', () =>
    given(aUserRegistered(), aUserLoggedIn())
      .when(aUserCommand('EndSessions', { keptSessionId: aSessionId(9), actorRole: 'self' }))
      .thenEvents({ type: 'SessionsEnded', data: { userId: 42, sessionEpoch: 1 } }));

  test('is open to admins on those below them', () =>
    given(aUserRegistered({ role: 10 }), aUserLoggedIn())
      .when(aUserCommand('EndSessions', { keptSessionId: null, actorRole: 10 }))
      .thenRejected('user.above-you'));

  test.each<UserEvent>([
    aUserDisabled(),
    { type: 'UserDeleted', data: { userId: 42, sessionEpoch: 1 } },
    { type: 'UserPromoted', data: { userId: 42, role: 10, previous: 1, sessionEpoch: 1 } },
    { type: 'UserDemoted', data: { userId: 42, role: 1, previous: 10, sessionEpoch: 1 } },
    { type: 'PasswordReset', data: { userId: 42, passwordHash: 'x', sessionEpoch: 1 } },
  ])('follows from $type', (event) => {
    expect(idsAfter(aUserRegistered(), aUserLoggedIn(one), event)).toEqual([]);
  });
});
