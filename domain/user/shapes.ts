import type { Role } from '../access/roles.ts';
import {
  flag,
  instant,
  nullable,
  object,
  oneOf,
  optional,
  type Shape,
  text,
  whole,
} from '../shared/shape.ts';
import { dataOf, type Shapes, withPersonal, withReason } from '../shared/shapes.ts';
import type {
  AccessTokenIssued,
  IdentityLinked,
  IdentityUnlinked,
  PasswordChanged,
  PasswordReset,
  PersonalKeyCreated,
  SessionEnded,
  SessionsEnded,
  UserDeleted,
  UserDemoted,
  UserDisabled,
  UserEnabled,
  UserEvent,
  UserGroupChanged,
  UserLoggedIn,
  UserLoginFailed,
  UserProfileChanged,
  UserPromoted,
  UserRegistered,
  UserSettingsChanged,
} from './events.ts';
import { secondFactorShapes } from './second-factor-shapes.ts';

const userId = whole;
const provider = oneOf('email', 'github', 'oidc', 'wechat', 'telegram', 'linuxdo');
const ofUser = dataOf<UserEnabled>({ userId, ...withReason });
const endsSessions = dataOf<UserDisabled | UserDeleted>({
  userId,
  sessionEpoch: whole,
  ...withReason,
});
const sessionsKept = { sessionEpoch: whole, keptSessionId: optional(text) };
const newRole = dataOf<UserPromoted | UserDemoted>({
  userId,
  role: whole as Shape<Role>,
  previous: whole as Shape<Role>,
  sessionEpoch: whole,
  ...withReason,
});

export const userShapes: Shapes<UserEvent | PersonalKeyCreated> = {
  UserRegistered: dataOf<UserRegistered>({
    userId,
    username: text,
    displayName: text,
    email: nullable(text),
    passwordHash: nullable(text),
    role: whole,
    group: text,
    affCode: text,
    inviterId: nullable(whole),
    ...withPersonal,
  }),
  UserProfileChanged: dataOf<UserProfileChanged>({
    userId,
    username: text,
    displayName: text,
    ...withPersonal,
  }),
  UserGroupChanged: dataOf<UserGroupChanged>({
    userId,
    group: text,
    previous: text,
    ...withReason,
  }),
  PasswordChanged: dataOf<PasswordChanged>({ userId, passwordHash: text, ...sessionsKept }),
  PasswordReset: dataOf<PasswordReset>({
    userId,
    passwordHash: text,
    ...sessionsKept,
    ...withReason,
  }),
  UserPromoted: newRole,
  UserDemoted: newRole,
  UserDisabled: endsSessions,
  UserEnabled: ofUser,
  UserDeleted: endsSessions,
  IdentityLinked: dataOf<IdentityLinked>({
    userId,
    provider,
    externalId: text,
    identityHash: text,
    label: optional(text),
  }),
  IdentityUnlinked: dataOf<IdentityUnlinked>({ userId, provider, identityHash: text }),
  AccessTokenIssued: dataOf<AccessTokenIssued>({
    userId,
    accessTokenHash: text,
    previousHash: nullable(text),
  }),
  UserSettingsChanged: dataOf<UserSettingsChanged>({
    userId,
    settings: object({
      notifyType: text,
      quotaWarningThreshold: whole,
      webhookUrl: text,
      webhookSecret: nullable(text),
      notificationEmail: nullable(text),
      acceptUnsetModelRatioModel: flag,
    }),
    ...withPersonal,
  }),
  UserLoggedIn: dataOf<UserLoggedIn>({
    userId,
    method: text,
    session: optional(object({ sessionId: text, openedAt: instant, device: text, address: text })),
    secondFactor: optional(oneOf('totp', 'passkey', 'recovery-code')),
  }),
  SessionEnded: dataOf<SessionEnded>({
    userId,
    sessionId: text,
    reason: oneOf('logged-out', 'revoked', 'replaced', 'superseded'),
  }),
  SessionsEnded: dataOf<SessionsEnded>({ userId, ...sessionsKept }),
  ...secondFactorShapes,
  PersonalKeyCreated: dataOf<PersonalKeyCreated>({ userId, wrappedKey: text }),
};

export const userLoginFailedShape = dataOf<UserLoginFailed>({
  userId,
  method: text,
  count: whole,
  address: text,
});
