import { describe, expect, test } from 'vitest';
import { deciderSpec } from '../../tests/support/decider-spec.ts';
import {
  anIdentityLinked,
  aRegisterUser,
  aSessionOpened,
  aUserCommand,
  aUserDeleted,
  aUserDisabled,
  aUserRegistered,
  aUserSettingsChanged,
} from '../../tests/support/user-examples.ts';
import { mayActOn } from '../access/roles.ts';
import { userDecider } from './decider.ts';

const given = deciderSpec(userDecider);
const login = { method: 'password', session: aSessionOpened() };
const github = {
  provider: 'github',
  externalId: 'sealed:4711',
  identityHash: 'hash-4711',
} as const;
const mail = { provider: 'email', externalId: 'sealed:a@b', identityHash: 'hash-a@b' } as const;
const settings = aUserSettingsChanged().data.settings;

describe('a person', () => {
  test('registers', () => given().when(aRegisterUser()).thenEvents(aUserRegistered()));
  test('registers together with their login provider', () =>
    given()
      .when(aRegisterUser({ identities: [github] }))
      .thenEvents(aUserRegistered(), anIdentityLinked()));
  test('registers once', () =>
    given(aUserRegistered()).when(aRegisterUser()).thenRejected('user.already-registered'));
  test('starts with no sessions behind them', () =>
    given().when(aRegisterUser()).thenState({ status: 'active', sessionEpoch: 0, identities: [] }));
  test('who never registered is unknown', () =>
    given()
      .when(aUserCommand('EnableUser', { actorRole: 100 }))
      .thenRejected('user.unknown'));
});

describe('the hierarchy', () => {
  test.each([
    [1, 1, false],
    [10, 1, true],
    [10, 10, false],
    [10, 100, false],
    [100, 10, true],
    [100, 100, true],
  ] as const)('role %s acts on role %s: %s', (actor, target, allowed) => {
    expect(mayActOn(actor, target)).toBe(allowed);
  });

  test.each([
    aUserCommand('ChangeProfile', { username: 'eve', displayName: null, actorRole: 10 }),
    aUserCommand('ResetPassword', { passwordHash: 'new', keptSessionId: null, actorRole: 10 }),
    aUserCommand('ChangeGroup', { group: 'vip', actorRole: 10 }),
    aUserCommand('DisableUser', { actorRole: 10 }),
    aUserCommand('EnableUser', { actorRole: 10 }),
    aUserCommand('DeleteUser', { actorRole: 10 }),
    aUserCommand('DemoteUser', { actorRole: 10 }),
    aUserCommand('EndSessions', { keptSessionId: null, actorRole: 10 }),
  ])('keeps an admin from another admin: $type', (command) =>
    given(aUserRegistered({ role: 10 }))
      .when(command)
      .thenRejected('user.above-you'),
  );

  test.each([
    aUserCommand('DisableUser', { actorRole: 100 }),
    aUserCommand('DeleteUser', { actorRole: 100 }),
    aUserCommand('DeleteUser', { actorRole: 'self' }),
    aUserCommand('DemoteUser', { actorRole: 100 }),
  ])('never loses the super admin: $type', (command) =>
    given(aUserRegistered({ role: 100 }))
      .when(command)
      .thenRejected('user.root-protected'),
  );
});

describe('a promotion', () => {
  const promoted = {
    type: 'UserPromoted',
    data: { userId: 42, role: 10, previous: 1, sessionEpoch: 1 },
  } as const;
  test('by the super admin makes an admin and ends old sessions', () =>
    given(aUserRegistered())
      .when(aUserCommand('PromoteUser', { actorRole: 100 }))
      .thenEvents(promoted));
  test('is not for admins to give', () =>
    given(aUserRegistered())
      .when(aUserCommand('PromoteUser', { actorRole: 10 }))
      .thenRejected('user.root-only'));
  test('goes no further than admin', () =>
    given(aUserRegistered(), promoted)
      .when(aUserCommand('PromoteUser', { actorRole: 100 }))
      .thenRejected('user.already-admin'));
  test('can be taken back', () =>
    given(aUserRegistered(), promoted)
      .when(aUserCommand('DemoteUser', { actorRole: 100 }))
      .thenEvents({
        type: 'UserDemoted',
        data: { userId: 42, role: 1, previous: 10, sessionEpoch: 2 },
      }));
  test('that never was cannot be taken back', () =>
    given(aUserRegistered())
      .when(aUserCommand('DemoteUser', { actorRole: 100 }))
      .thenRejected('user.already-ordinary'));
});

describe('a ban', () => {
  const ban = aUserCommand('DisableUser', { actorRole: 10 });
  test('ends every session', () => given(aUserRegistered()).when(ban).thenEvents(aUserDisabled(1)));
  test('happens once', () => given(aUserRegistered(), aUserDisabled()).when(ban).thenNothing());
  test('is lifted', () =>
    given(aUserRegistered(), aUserDisabled())
      .when(aUserCommand('EnableUser', { actorRole: 10 }))
      .thenEvents({ type: 'UserEnabled', data: { userId: 42 } }));
  test('keeps a person from logging in', () =>
    given(aUserRegistered(), aUserDisabled())
      .when(aUserCommand('RecordLogin', login))
      .thenRejected('user.banned'));
});

describe('a deleted person', () => {
  test('is closed by their own wish', () =>
    given(aUserRegistered())
      .when(aUserCommand('DeleteUser', { actorRole: 'self' }))
      .thenEvents(aUserDeleted(1)));
  test.each([
    aUserCommand('EnableUser', { actorRole: 100 }),
    aUserCommand('DeleteUser', { actorRole: 100 }),
    aUserCommand('RecordLogin', login),
    aUserCommand('IssueAccessToken', { accessTokenHash: 'h' }),
    aUserCommand('LinkIdentity', github),
  ])('is never restored: $type', (command) =>
    given(aUserRegistered(), aUserDeleted()).when(command).thenRejected('user.deleted'),
  );
});

describe('a password', () => {
  const passwordHash = 'argon2id:second';
  test('is changed by its owner, which ends the sessions opened with the old one', () =>
    given(aUserRegistered())
      .when(aUserCommand('ChangePassword', { passwordHash, keptSessionId: null }))
      .thenEvents({
        type: 'PasswordChanged',
        data: { userId: 42, passwordHash, sessionEpoch: 1 },
      }));
  test('is reset by an admin', () =>
    given(aUserRegistered())
      .when(aUserCommand('ResetPassword', { passwordHash, keptSessionId: null, actorRole: 10 }))
      .thenEvents({ type: 'PasswordReset', data: { userId: 42, passwordHash, sessionEpoch: 1 } }));
});

test('logging out everywhere ends every session', () =>
  given(aUserRegistered(), aUserDisabled(4))
    .when(aUserCommand('EndSessions', { keptSessionId: null, actorRole: 'self' }))
    .thenEvents({ type: 'SessionsEnded', data: { userId: 42, sessionEpoch: 5 } }));

describe('a profile', () => {
  test('keeps what the form leaves empty', () =>
    given(aUserRegistered())
      .when(
        aUserCommand('ChangeProfile', { username: 'eve', displayName: null, actorRole: 'self' }),
      )
      .thenEvents({
        type: 'UserProfileChanged',
        data: { userId: 42, username: 'eve', displayName: 'sealed:Ada' },
      }));
  test('is not changed to what it is', () =>
    given(aUserRegistered())
      .when(aUserCommand('ChangeProfile', { username: 'ada', displayName: null, actorRole: 10 }))
      .thenNothing());
  test('has one group, changed by an admin', () => {
    given(aUserRegistered())
      .when(aUserCommand('ChangeGroup', { group: 'vip', actorRole: 10 }))
      .thenEvents({
        type: 'UserGroupChanged',
        data: { userId: 42, group: 'vip', previous: 'default' },
      });
    given(aUserRegistered())
      .when(aUserCommand('ChangeGroup', { group: 'default', actorRole: 10 }))
      .thenNothing();
  });
});

describe('a linked identity', () => {
  test('is linked once', () => {
    given(aUserRegistered())
      .when(aUserCommand('LinkIdentity', github))
      .thenEvents(anIdentityLinked());
    given(aUserRegistered(), anIdentityLinked())
      .when(aUserCommand('LinkIdentity', github))
      .thenNothing();
  });
  test('is not silently replaced by another', () =>
    given(aUserRegistered(), anIdentityLinked())
      .when(aUserCommand('LinkIdentity', { ...github, identityHash: 'hash-other' }))
      .thenRejected('user.identity-already-linked'));
  test('gives way to the new one when it is an e-mail address', () =>
    given(aUserRegistered(), anIdentityLinked(mail))
      .when(aUserCommand('LinkIdentity', { ...mail, externalId: 's', identityHash: 'hash-new' }))
      .thenEvents(
        {
          type: 'IdentityUnlinked',
          data: { userId: 42, provider: 'email', identityHash: 'hash-a@b' },
        },
        anIdentityLinked({ ...mail, externalId: 's', identityHash: 'hash-new' }),
      ));
  test('is unlinked', () =>
    given(aUserRegistered(), anIdentityLinked(mail))
      .when(aUserCommand('UnlinkIdentity', { provider: 'email' }))
      .thenState({ email: null, identities: [] }));
  test('gives way to the new one when it is a WeChat account', () =>
    given(aUserRegistered(), anIdentityLinked({ provider: 'wechat' }))
      .when(
        aUserCommand('LinkIdentity', {
          provider: 'wechat',
          externalId: 's',
          identityHash: 'hash-new',
        }),
      )
      .thenState({
        identities: [{ provider: 'wechat', externalId: 's', identityHash: 'hash-new' }],
      }));
  test('stays while it is the only way in', () =>
    given(aUserRegistered({ passwordHash: null }), anIdentityLinked())
      .when(aUserCommand('UnlinkIdentity', { provider: 'github' }))
      .thenRejected('user.last-way-in'));
  test('is unlinked once there is a password or another account', () => {
    given(aUserRegistered(), anIdentityLinked())
      .when(aUserCommand('UnlinkIdentity', { provider: 'github' }))
      .thenState({ identities: [] });
    given(aUserRegistered({ passwordHash: null }), anIdentityLinked(), anIdentityLinked(mail))
      .when(aUserCommand('UnlinkIdentity', { provider: 'github' }))
      .thenState({ identities: [mail] });
  });
  test('that is not there cannot be unlinked', () =>
    given(aUserRegistered())
      .when(aUserCommand('UnlinkIdentity', { provider: 'oidc' }))
      .thenRejected('user.identity-not-linked'));
});

describe('an access token', () => {
  test('replaces the one before', () =>
    given(aUserRegistered(), {
      type: 'AccessTokenIssued',
      data: { userId: 42, accessTokenHash: 'one', previousHash: null },
    })
      .when(aUserCommand('IssueAccessToken', { accessTokenHash: 'two' }))
      .thenEvents({
        type: 'AccessTokenIssued',
        data: { userId: 42, accessTokenHash: 'two', previousHash: 'one' },
      }));
});

describe('notification settings', () => {
  test('keep the webhook secret that the form never showed', () =>
    given(aUserRegistered(), aUserSettingsChanged())
      .when(
        aUserCommand('ChangeUserSettings', {
          settings: { ...settings, webhookSecret: null, quotaWarningThreshold: 100_000 },
        }),
      )
      .thenEvents(aUserSettingsChanged({ quotaWarningThreshold: 100_000 })));
  test('drop it when another address is to get it', () =>
    given(aUserRegistered(), aUserSettingsChanged())
      .when(
        aUserCommand('ChangeUserSettings', {
          settings: { ...settings, webhookSecret: null, webhookUrl: 'https://evil.example' },
        }),
      )
      .thenEvents(
        aUserSettingsChanged({ webhookSecret: null, webhookUrl: 'https://evil.example' }),
      ));
  test('that are the same change nothing', () =>
    given(aUserRegistered(), aUserSettingsChanged())
      .when(aUserCommand('ChangeUserSettings', { settings: { ...settings, webhookSecret: null } }))
      .thenNothing());
});
