import {
  type ActingAs,
  adminRole,
  mayActOn,
  ordinaryRole,
  type Role,
  rootRole,
} from '../access/roles.ts';
import { accept, type Decider, type Decision, reject } from '../shared/decider.ts';
import { sameFields, sameValue } from '../shared/fields.ts';
import type { SessionId } from '../shared/ids.ts';
import { reasonField, type WithReason } from '../shared/reason.ts';
import type {
  ChangeGroup,
  ChangeProfile,
  ChangeUserSettings,
  EndSession,
  Identity,
  LinkIdentity,
  RecordLogin,
  RegisterUser,
  UnlinkIdentity,
  UserCommand,
  UserSettings,
} from './commands.ts';
import type { IdentityLinked, IdentityUnlinked, SessionEnded, UserEvent } from './events.ts';
import { maxLiveSessions, unexpired } from './live-sessions.ts';
import type { SecondFactorCommand } from './second-factor-commands.ts';
import {
  decideSecondFactor,
  isSecondFactorCommand,
  type SecondFactorRejection,
} from './second-factor-decider.ts';
import { absentUser, evolve, type UserState } from './state.ts';

export type { UserCommand } from './commands.ts';
export type { UserState } from './state.ts';

export type UserRejection =
  | 'user.already-registered'
  | 'user.unknown'
  | 'user.deleted'
  | 'user.banned'
  | 'user.above-you'
  | 'user.root-only'
  | 'user.root-protected'
  | 'user.already-admin'
  | 'user.already-ordinary'
  | 'user.identity-already-linked'
  | 'user.identity-not-linked'
  | 'user.last-way-in'
  | 'user.session-unknown'
  | SecondFactorRejection;

type Answer = Decision<UserEvent, UserRejection>;
type Person = Exclude<UserState, { status: 'absent' }>;

const register = ({ data }: RegisterUser, state: UserState): Answer => {
  if (state.status !== 'absent') return reject('user.already-registered');
  const { identities, ...person } = data;
  const { userId } = data;
  const links = identities.map(
    (identity): IdentityLinked => ({ type: 'IdentityLinked', data: { userId, ...identity } }),
  );
  return accept<UserEvent>({ type: 'UserRegistered', data: person }, ...links);
};

/** May this caller touch this person at all? Deleted people stay as they are. */
const refusal = (actorRole: ActingAs, state: Person): UserRejection | null => {
  if (state.status === 'deleted') return 'user.deleted';
  return actorRole === 'self' || mayActOn(actorRole, state.role) ? null : 'user.above-you';
};

const changeProfile = ({ data }: ChangeProfile, state: Person): Answer => {
  const username = data.username ?? state.username;
  const displayName = data.displayName ?? state.displayName;
  if (username === state.username && displayName === state.displayName) return accept();
  const { userId } = state;
  return accept({ type: 'UserProfileChanged', data: { userId, username, displayName } });
};

const changeGroup = ({ data: { group, reason } }: ChangeGroup, state: Person): Answer => {
  const { userId, group: previous } = state;
  if (group === previous) return accept();
  return accept({
    type: 'UserGroupChanged',
    data: { userId, group, previous, ...reasonField(reason) },
  });
};

type ByAdmin = Readonly<{ actorRole: Role }> & WithReason;

const promote = ({ actorRole, reason }: ByAdmin, state: Person): Answer => {
  if (actorRole !== rootRole) return reject('user.root-only');
  if (state.role !== ordinaryRole) return reject('user.already-admin');
  const { userId, role: previous } = state;
  const sessionEpoch = state.sessionEpoch + 1;
  return accept({
    type: 'UserPromoted',
    data: { userId, role: adminRole, previous, sessionEpoch, ...reasonField(reason) },
  });
};

const demote = ({ reason }: WithReason, state: Person): Answer => {
  if (state.role === rootRole) return reject('user.root-protected');
  if (state.role === ordinaryRole) return reject('user.already-ordinary');
  const { userId, role: previous } = state;
  const sessionEpoch = state.sessionEpoch + 1;
  return accept({
    type: 'UserDemoted',
    data: { userId, role: ordinaryRole, previous, sessionEpoch, ...reasonField(reason) },
  });
};

/** The end of an account, for a while or for good. The super admin cannot be locked out. */
const close = (
  { type, reason }: Readonly<{ type: 'UserDisabled' | 'UserDeleted' }> & WithReason,
  state: Person,
): Answer => {
  if (state.role === rootRole) return reject('user.root-protected');
  if (type === 'UserDisabled' && state.status === 'banned') return accept();
  const { userId } = state;
  const sessionEpoch = state.sessionEpoch + 1;
  return accept({ type, data: { userId, sessionEpoch, ...reasonField(reason) } });
};

const unlinked = ({ userId }: Person, { provider, identityHash }: Identity): IdentityUnlinked => ({
  type: 'IdentityUnlinked',
  data: { userId, provider, identityHash },
});

/**
 * What may be proven again at any time is replaced; other providers are unlinked manually first.
 */
const isReplaceable = (provider: Identity['provider']): boolean =>
  provider === 'email' || provider === 'wechat';

const link = ({ data }: LinkIdentity, state: Person): Answer => {
  const held = state.identities.find(({ provider }) => provider === data.provider);
  const linkedNow: IdentityLinked = { type: 'IdentityLinked', data };
  if (held === undefined) return accept(linkedNow);
  if (held.identityHash === data.identityHash) return accept();
  if (!isReplaceable(data.provider)) return reject('user.identity-already-linked');
  return accept<UserEvent>(unlinked(state, held), linkedNow);
};

const unlink = ({ data }: UnlinkIdentity, state: Person): Answer => {
  const held = state.identities.find(({ provider }) => provider === data.provider);
  if (held === undefined) return reject('user.identity-not-linked');
  // The last way to sign in stays.
  const isLast = state.passwordHash === null && state.identities.length === 1;
  return isLast ? reject('user.last-way-in') : accept(unlinked(state, held));
};

const sameSettings = sameFields<UserSettings>({
  notifyType: sameValue,
  quotaWarningThreshold: sameValue,
  webhookUrl: sameValue,
  webhookSecret: sameValue,
  notificationEmail: sameValue,
  acceptUnsetModelRatioModel: sameValue,
});

const changeSettings = ({ data }: ChangeUserSettings, state: Person): Answer => {
  // The secret goes out with every webhook: it is not sent to an address it was not entered for.
  const isSameTarget = data.settings.webhookUrl === state.settings?.webhookUrl;
  const kept = isSameTarget ? (state.settings?.webhookSecret ?? null) : null;
  const webhookSecret = data.settings.webhookSecret ?? kept;
  const settings = { ...data.settings, webhookSecret };
  if (state.settings !== null && sameSettings(state.settings, settings)) return accept();
  return accept({ type: 'UserSettingsChanged', data: { userId: state.userId, settings } });
};

const recordLogin = ({ data }: RecordLogin, state: Person): Answer => {
  if (state.status === 'banned') return reject('user.banned');
  const { userId, session } = data;
  const live = unexpired(state.sessions, session.openedAt);
  const tooMany = live.slice(0, Math.max(0, live.length + 1 - maxLiveSessions));
  const ended = tooMany.map(
    ({ sessionId }): SessionEnded => ({
      type: 'SessionEnded',
      data: { userId, sessionId, reason: 'superseded' },
    }),
  );
  return accept<UserEvent>(...ended, { type: 'UserLoggedIn', data });
};

const endSession = ({ data }: EndSession, { sessions }: Person): Answer => {
  const isLive = sessions.some(({ sessionId }) => sessionId === data.sessionId);
  if (isLive) return accept({ type: 'SessionEnded', data });
  return data.reason === 'revoked' ? reject('user.session-unknown') : accept();
};

/** The requesting session continues when it is one of theirs. */
const keeping = (sessionId: SessionId | null, { sessions }: Person) =>
  sessions.some((live) => live.sessionId === sessionId) && sessionId !== null
    ? { keptSessionId: sessionId }
    : {};

const decideKnown = (
  command: Exclude<UserCommand, RegisterUser | SecondFactorCommand>,
  state: Person,
): Answer => {
  const { userId } = state;
  const sessionEpoch = state.sessionEpoch + 1;
  switch (command.type) {
    case 'ChangeProfile':
      return changeProfile(command, state);
    case 'ChangePassword':
    case 'ResetPassword': {
      const type = command.type === 'ChangePassword' ? 'PasswordChanged' : 'PasswordReset';
      const { passwordHash, keptSessionId } = command.data;
      const kept = keeping(keptSessionId, state);
      const given = command.type === 'ResetPassword' ? reasonField(command.data.reason) : {};
      return accept({ type, data: { userId, passwordHash, sessionEpoch, ...kept, ...given } });
    }
    case 'ChangeGroup':
      return changeGroup(command, state);
    case 'PromoteUser':
      return promote(command.data, state);
    case 'DemoteUser':
      return demote(command.data, state);
    case 'DisableUser':
      return close({ type: 'UserDisabled', ...reasonField(command.data.reason) }, state);
    case 'EnableUser':
      return state.status === 'active'
        ? accept()
        : accept({ type: 'UserEnabled', data: { userId, ...reasonField(command.data.reason) } });
    case 'DeleteUser':
      return close({ type: 'UserDeleted', ...reasonField(command.data.reason) }, state);
    case 'LinkIdentity':
      return link(command, state);
    case 'UnlinkIdentity':
      return unlink(command, state);
    case 'IssueAccessToken': {
      const { accessTokenHash } = command.data;
      const previousHash = state.accessTokenHash;
      return accept({ type: 'AccessTokenIssued', data: { userId, accessTokenHash, previousHash } });
    }
    case 'ChangeUserSettings':
      return changeSettings(command, state);
    case 'RecordLogin':
      return recordLogin(command, state);
    case 'EndSession':
      return endSession(command, state);
    case 'EndSessions': {
      const kept = keeping(command.data.keptSessionId, state);
      return accept({ type: 'SessionsEnded', data: { userId, sessionEpoch, ...kept } });
    }
  }
};

const decide = (command: UserCommand, state: UserState): Answer => {
  if (command.type === 'RegisterUser') return register(command, state);
  if (state.status === 'absent') return reject('user.unknown');
  const actorRole = 'actorRole' in command.data ? command.data.actorRole : 'self';
  const refused = refusal(actorRole, state);
  if (refused !== null) return reject(refused);
  return isSecondFactorCommand(command)
    ? decideSecondFactor(command, state)
    : decideKnown(command, state);
};

export const userDecider: Decider<UserCommand, UserEvent, UserState, UserRejection> = {
  initialState: absentUser,
  decide,
  evolve,
};
