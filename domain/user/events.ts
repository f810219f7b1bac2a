import type { Role } from '../access/roles.ts';
import type { Event } from '../shared/event.ts';
import type { SessionId, UserId } from '../shared/ids.ts';
import type { WithPersonal } from '../shared/personal.ts';
import type { WithReason } from '../shared/reason.ts';
import type { SealedPersonal } from '../shared/sealed.ts';
import type { SecondFactorEvent } from './second-factor-events.ts';

export type IdentityProvider = 'email' | 'github' | 'oidc' | 'wechat' | 'telegram' | 'linuxdo';

/**
 * A person registered. `passwordHash` is argon2id, null for sign-ups through a login provider.
 * Display name and e-mail are sealed under the person's own key (`personalKey-<userId>`).
 */
export type UserRegistered = Event<
  'UserRegistered',
  {
    userId: UserId;
    username: string;
    displayName: SealedPersonal;
    email: SealedPersonal | null;
    passwordHash: string | null;
    role: Role;
    group: string;
    affCode: string;
    inviterId: UserId | null;
  } & WithPersonal
>;
export type UserProfileChanged = Event<
  'UserProfileChanged',
  { userId: UserId; username: string; displayName: SealedPersonal } & WithPersonal
>;
export type UserGroupChanged = Event<
  'UserGroupChanged',
  { userId: UserId; group: string; previous: string } & WithReason
>;
/** What raises `sessionEpoch` ends every session opened before, but for `keptSessionId`. */
type SessionsKept = Readonly<{ sessionEpoch: number; keptSessionId?: SessionId }>;
/** The person chose a new password. */
export type PasswordChanged = Event<
  'PasswordChanged',
  { userId: UserId; passwordHash: string } & SessionsKept
>;
/** A reset link was used or an admin set a password. */
export type PasswordReset = Event<
  'PasswordReset',
  { userId: UserId; passwordHash: string } & SessionsKept & WithReason
>;
export type UserPromoted = Event<
  'UserPromoted',
  { userId: UserId; role: Role; previous: Role; sessionEpoch: number } & WithReason
>;
export type UserDemoted = Event<
  'UserDemoted',
  { userId: UserId; role: Role; previous: Role; sessionEpoch: number } & WithReason
>;
export type UserDisabled = Event<
  'UserDisabled',
  { userId: UserId; sessionEpoch: number } & WithReason
>;
export type UserEnabled = Event<'UserEnabled', { userId: UserId } & WithReason>;
/** The account is closed; name and address stay taken, the balance is frozen. */
export type UserDeleted = Event<
  'UserDeleted',
  { userId: UserId; sessionEpoch: number } & WithReason
>;
/** `label` is the name of the account there (a GitHub login), where that is not its id. */
export type IdentityLinked = Event<
  'IdentityLinked',
  {
    userId: UserId;
    provider: IdentityProvider;
    externalId: SealedPersonal;
    identityHash: string;
    label?: SealedPersonal;
  }
>;
export type IdentityUnlinked = Event<
  'IdentityUnlinked',
  { userId: UserId; provider: IdentityProvider; identityHash: string }
>;
/** Replaces the one before. Only the SHA-256 is stored. */
export type AccessTokenIssued = Event<
  'AccessTokenIssued',
  { userId: UserId; accessTokenHash: string; previousHash: string | null }
>;
export type UserSettingsChanged = Event<
  'UserSettingsChanged',
  {
    userId: UserId;
    settings: Readonly<{
      notifyType: 'email' | 'webhook';
      /** Quota units. */
      quotaWarningThreshold: number;
      webhookUrl: string;
      webhookSecret: SealedPersonal | null;
      notificationEmail: SealedPersonal | null;
      acceptUnsetModelRatioModel: boolean;
    }>;
  } & WithPersonal
>;
/** Device and address are personal data, so they are sealed under the person's own key. */
export type SessionOpened = Readonly<{
  sessionId: SessionId;
  /** ISO-8601. The session can be used for 30 days from here on. */
  openedAt: string;
  /** Browser and system in a readable form, made from the user agent. */
  device: SealedPersonal;
  address: SealedPersonal;
}>;

export type FactorMethod = 'totp' | 'passkey' | 'recovery-code';

/**
 * `session` is absent in events that were written before sessions had ids, `secondFactor` where none
 * was asked for.
 */
export type UserLoggedIn = Event<
  'UserLoggedIn',
  { userId: UserId; method: string; session?: SessionOpened; secondFactor?: FactorMethod }
>;

/** `superseded`: the oldest of too many; `replaced`: the same browser signed in again. */
export type SessionEndReason = 'logged-out' | 'revoked' | 'replaced' | 'superseded';
export type SessionEnded = Event<
  'SessionEnded',
  { userId: UserId; sessionId: SessionId; reason: SessionEndReason }
>;
/** "Log out everywhere", or all but the session that asks. */
export type SessionsEnded = Event<'SessionsEnded', { userId: UserId } & SessionsKept>;

/**
 * Wrong passwords of one person, summed up over at most a minute. It stands in a stream of its own,
 * so that guesses make no user slow to load.
 */
export type UserLoginFailed = Event<
  'UserLoginFailed',
  {
    userId: UserId;
    method: string;
    /** Attempts since the event before. */
    count: number;
    /** Of the latest attempt. */
    address: SealedPersonal;
  }
>;

export type UserEvent =
  | UserRegistered
  | UserProfileChanged
  | UserGroupChanged
  | PasswordChanged
  | PasswordReset
  | UserPromoted
  | UserDemoted
  | UserDisabled
  | UserEnabled
  | UserDeleted
  | IdentityLinked
  | IdentityUnlinked
  | AccessTokenIssued
  | UserSettingsChanged
  | UserLoggedIn
  | SessionEnded
  | SessionsEnded
  | SecondFactorEvent;

/** The key under which one person's data is sealed, itself sealed under `SECRET_KEY`. */
export type PersonalKeyCreated = Event<
  'PersonalKeyCreated',
  { userId: UserId; wrappedKey: string }
>;
