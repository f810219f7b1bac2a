import type { ActingAs, Role } from '../access/roles.ts';
import type { Command } from '../shared/event.ts';
import type { SessionId, UserId } from '../shared/ids.ts';
import type { WithReason } from '../shared/reason.ts';
import type { SealedPersonal } from '../shared/sealed.ts';
import type {
  FactorMethod,
  IdentityProvider,
  SessionEndReason,
  SessionOpened,
  UserSettingsChanged,
} from './events.ts';
import type { SecondFactorCommand } from './second-factor-commands.ts';

/** The role of the caller at that moment; the decider holds the hierarchy. */
type ByAdmin = Readonly<{ actorRole: Role }> & WithReason;
type WithActor = Readonly<{ actorRole: ActingAs }> & WithReason;

/** An e-mail address or an account with a login provider; its hash is claimed beforehand. */
export type Identity = Readonly<{
  provider: IdentityProvider;
  externalId: SealedPersonal;
  identityHash: string;
  label?: SealedPersonal;
}>;

export type UserSettings = UserSettingsChanged['data']['settings'];

/** `identities` are linked in the same append; an address of `email` is one of them. */
export type RegisterUser = Command<
  'RegisterUser',
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
    identities: readonly Identity[];
  }
>;
/** null keeps the stored one: sealed text differs each time, so it cannot be compared. */
export type ChangeProfile = Command<
  'ChangeProfile',
  { userId: UserId; username: string | null; displayName: SealedPersonal | null } & WithActor
>;
/** The requesting session continues; null: there is none, or it is one of another person. */
type KeepingSession = Readonly<{ keptSessionId: SessionId | null }>;

/** By the person; the route has verified the password before. */
export type ChangePassword = Command<
  'ChangePassword',
  { userId: UserId; passwordHash: string } & KeepingSession
>;
/** By an admin, or by the person with a reset link (`self`). */
export type ResetPassword = Command<
  'ResetPassword',
  { userId: UserId; passwordHash: string } & KeepingSession & WithActor
>;
export type ChangeGroup = Command<'ChangeGroup', { userId: UserId; group: string } & ByAdmin>;
export type PromoteUser = Command<'PromoteUser', { userId: UserId } & ByAdmin>;
export type DemoteUser = Command<'DemoteUser', { userId: UserId } & ByAdmin>;
export type DisableUser = Command<'DisableUser', { userId: UserId } & ByAdmin>;
export type EnableUser = Command<'EnableUser', { userId: UserId } & ByAdmin>;
export type DeleteUser = Command<'DeleteUser', { userId: UserId } & WithActor>;
export type LinkIdentity = Command<'LinkIdentity', { userId: UserId } & Identity>;
export type UnlinkIdentity = Command<
  'UnlinkIdentity',
  { userId: UserId; provider: IdentityProvider }
>;
export type IssueAccessToken = Command<
  'IssueAccessToken',
  { userId: UserId; accessTokenHash: string }
>;
/**
 * `webhookSecret` null keeps the one that is stored for the same address; it is never shown, so
 * forms send none.
 */
export type ChangeUserSettings = Command<
  'ChangeUserSettings',
  { userId: UserId; settings: UserSettings }
>;
export type RecordLogin = Command<
  'RecordLogin',
  { userId: UserId; method: string; session: SessionOpened; secondFactor?: FactorMethod }
>;
export type EndSession = Command<
  'EndSession',
  { userId: UserId; sessionId: SessionId; reason: Exclude<SessionEndReason, 'superseded'> }
>;
export type EndSessions = Command<'EndSessions', { userId: UserId } & KeepingSession & WithActor>;

export type UserCommand =
  | RegisterUser
  | ChangeProfile
  | ChangePassword
  | ResetPassword
  | ChangeGroup
  | PromoteUser
  | DemoteUser
  | DisableUser
  | EnableUser
  | DeleteUser
  | LinkIdentity
  | UnlinkIdentity
  | IssueAccessToken
  | ChangeUserSettings
  | RecordLogin
  | EndSession
  | EndSessions
  | SecondFactorCommand;
