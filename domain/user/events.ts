import type { Role } from '../access/roles.ts';
import { defineEvents, type EventsOf } from '../shared/catalogue.ts';
import { sessionId, userId } from '../shared/ids.ts';
import { withPersonal } from '../shared/personal.ts';
import { quotaUnits } from '../shared/quota.ts';
import { withReason } from '../shared/reason.ts';
import { sealedPersonal } from '../shared/sealed.ts';
import {
  flag,
  type Infer,
  instant,
  nullable,
  object,
  oneOf,
  optional,
  text,
  textOf,
  whole,
  wholeOf,
} from '../shared/shape.ts';
import { secondFactorEvents } from './second-factor-events.ts';

const provider = oneOf('email', 'github', 'oidc', 'wechat', 'telegram', 'linuxdo');
export type IdentityProvider = Infer<typeof provider>;

const role = wholeOf<Role>();
const sessionEpoch = whole;
/** What raises `sessionEpoch` ends every session opened before, but for `keptSessionId`. */
const sessionsKept = { sessionEpoch, keptSessionId: optional(sessionId) };

/** An e-mail address or an account with a login provider; its hash is claimed beforehand. */
const identity = {
  provider,
  externalId: sealedPersonal,
  identityHash: text,
  /** The name of the account there (a GitHub login), where that is not its id. */
  label: optional(sealedPersonal),
};

const settings = object({
  notifyType: textOf<'email' | 'webhook'>(),
  quotaWarningThreshold: quotaUnits,
  webhookUrl: text,
  webhookSecret: nullable(sealedPersonal),
  notificationEmail: nullable(sealedPersonal),
  acceptUnsetModelRatioModel: flag,
});
export type UserSettings = Infer<typeof settings>;

/** Device and address are personal data, so they are sealed under the person's own key. */
const session = object({
  sessionId,
  /** The session can be used for 30 days from here on. */
  openedAt: instant,
  /** Browser and system in a readable form, made from the user agent. */
  device: sealedPersonal,
  address: sealedPersonal,
});
export type SessionOpened = Infer<typeof session>;

const factor = oneOf('totp', 'passkey', 'recovery-code');
export type FactorMethod = Infer<typeof factor>;

/** `superseded`: the oldest of too many; `replaced`: the same browser signed in again. */
const sessionEndReason = oneOf('logged-out', 'revoked', 'replaced', 'superseded');
export type SessionEndReason = Infer<typeof sessionEndReason>;

const audited = defineEvents('user', 'user');

export const userEvents = {
  /**
   * A person registered. `passwordHash` is argon2id, null for sign-ups through a login provider.
   * Display name and e-mail are sealed under the person's own key (`personalKey-<userId>`).
   */
  UserRegistered: audited({
    userId,
    username: text,
    displayName: sealedPersonal,
    email: nullable(sealedPersonal),
    passwordHash: nullable(text),
    role,
    group: text,
    affCode: text,
    inviterId: nullable(userId),
    ...withPersonal,
  }),
  UserProfileChanged: audited({
    userId,
    username: text,
    displayName: sealedPersonal,
    ...withPersonal,
  }),
  UserGroupChanged: audited({
    userId,
    group: text,
    previous: text,
    ...withReason,
  }),
  /** The person chose a new password. */
  PasswordChanged: audited({ userId, passwordHash: text, ...sessionsKept }),
  /** A reset link was used or an admin set a password. */
  PasswordReset: audited({
    userId,
    passwordHash: text,
    ...sessionsKept,
    ...withReason,
  }),
  UserPromoted: audited({
    userId,
    role,
    previous: role,
    sessionEpoch,
    ...withReason,
  }),
  UserDemoted: audited({
    userId,
    role,
    previous: role,
    sessionEpoch,
    ...withReason,
  }),
  UserDisabled: audited({ userId, sessionEpoch, ...withReason }),
  UserEnabled: audited({ userId, ...withReason }),
  /** The account is closed; name and address stay taken, the balance is frozen. */
  UserDeleted: audited({ userId, sessionEpoch, ...withReason }),
  IdentityLinked: audited({ userId, ...identity }),
  IdentityUnlinked: audited({ userId, provider, identityHash: text }),
  /** Replaces the one before. Only the SHA-256 is stored. */
  AccessTokenIssued: audited({
    userId,
    accessTokenHash: text,
    previousHash: nullable(text),
  }),
  UserSettingsChanged: audited({ userId, settings, ...withPersonal }),
  /** `secondFactor` is absent where none was required. */
  UserLoggedIn: audited({
    userId,
    method: text,
    session,
    secondFactor: optional(factor),
  }),
  SessionEnded: audited({ userId, sessionId, reason: sessionEndReason }),
  /** "Log out everywhere", or all but the session of the request. */
  SessionsEnded: audited({ userId, ...sessionsKept }),
  ...secondFactorEvents,
};

/**
 * Wrong passwords of one person, summed up over at most a minute. They have a stream of their own, so
 * that guesses make no user slow to load.
 */
export const loginFailureEvents = {
  UserLoginFailed: defineEvents(
    'loginFailures',
    'user',
  )({
    userId,
    method: text,
    /** Attempts since the event before. */
    count: whole,
    /** Of the latest attempt. */
    address: sealedPersonal,
  }),
};
export type UserLoginFailed = EventsOf<typeof loginFailureEvents>['UserLoginFailed'];

/** The key under which one person's data is sealed, itself sealed under `SECRET_KEY`. */
export const personalKeyEvents = {
  PersonalKeyCreated: defineEvents('personalKey', null)({ userId, wrappedKey: text }),
};
export type PersonalKeyCreated = EventsOf<typeof personalKeyEvents>['PersonalKeyCreated'];

type Events = EventsOf<typeof userEvents>;
export type UserRegistered = Events['UserRegistered'];
export type UserProfileChanged = Events['UserProfileChanged'];
export type PasswordChanged = Events['PasswordChanged'];
export type PasswordReset = Events['PasswordReset'];
export type UserPromoted = Events['UserPromoted'];
export type UserDemoted = Events['UserDemoted'];
export type UserDisabled = Events['UserDisabled'];
export type UserDeleted = Events['UserDeleted'];
export type IdentityLinked = Events['IdentityLinked'];
export type IdentityUnlinked = Events['IdentityUnlinked'];
export type UserSettingsChanged = Events['UserSettingsChanged'];
export type UserLoggedIn = Events['UserLoggedIn'];
export type SessionEnded = Events['SessionEnded'];
export type UserEvent = Events[keyof Events];
