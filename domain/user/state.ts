import type { Role } from '../access/roles.ts';
import type { UserId } from '../shared/ids.ts';
import type { SealedPersonal } from '../shared/sealed.ts';
import type { Identity, UserSettings } from './commands.ts';
import type { IdentityLinked, UserEvent, UserRegistered } from './events.ts';
import { type LiveSession, liveSessionsAfter } from './live-sessions.ts';
import type { SecondFactorEvent } from './second-factor-events.ts';
import {
  factorsAfter,
  isSecondFactorEvent,
  noSecondFactors,
  type SecondFactors,
} from './second-factors.ts';

/** The write side's state of a person. */
type Person = Readonly<{
  userId: UserId;
  username: string;
  displayName: SealedPersonal;
  email: SealedPersonal | null;
  passwordHash: string | null;
  role: Role;
  group: string;
  affCode: string;
  inviterId: UserId | null;
  /** Sessions opened under a smaller epoch are over; 0 at registration. */
  sessionEpoch: number;
  /** Oldest first. */
  sessions: readonly LiveSession[];
  accessTokenHash: string | null;
  /** null until saved for the first time. */
  settings: UserSettings | null;
  /** At most one for each provider. */
  identities: readonly Identity[];
  secondFactors: SecondFactors;
}>;

export type UserState =
  | Readonly<{ status: 'absent' }>
  | Readonly<{ status: 'active' | 'banned' | 'deleted' } & Person>;
type Known = Exclude<UserState, { status: 'absent' }>;

export const absentUser: UserState = { status: 'absent' };

const registered = ({ data }: UserRegistered): UserState => ({
  status: 'active',
  ...data,
  sessionEpoch: 0,
  sessions: [],
  accessTokenHash: null,
  settings: null,
  identities: [],
  secondFactors: noSecondFactors,
});

const without = (state: Known, provider: Identity['provider']): readonly Identity[] =>
  state.identities.filter((identity) => identity.provider !== provider);

const linked = (
  state: Known,
  { data: { provider, externalId, identityHash } }: IdentityLinked,
): UserState => ({
  ...state,
  email: provider === 'email' ? externalId : state.email,
  identities: [...without(state, provider), { provider, externalId, identityHash }],
});

const evolveKnown = (
  state: Known,
  event: Exclude<UserEvent, UserRegistered | SecondFactorEvent>,
): UserState => {
  switch (event.type) {
    case 'UserProfileChanged': {
      const { username, displayName } = event.data;
      return { ...state, username, displayName };
    }
    case 'UserGroupChanged':
      return { ...state, group: event.data.group };
    case 'PasswordChanged':
    case 'PasswordReset': {
      const { passwordHash, sessionEpoch } = event.data;
      // The token may have been issued with the old password.
      return { ...state, passwordHash, sessionEpoch, accessTokenHash: null };
    }
    case 'UserPromoted':
    case 'UserDemoted': {
      const { role, sessionEpoch } = event.data;
      return { ...state, role, sessionEpoch };
    }
    case 'UserDisabled':
      return { ...state, status: 'banned', sessionEpoch: event.data.sessionEpoch };
    case 'UserEnabled':
      return { ...state, status: 'active' };
    case 'UserDeleted':
      return { ...state, status: 'deleted', sessionEpoch: event.data.sessionEpoch };
    case 'IdentityLinked':
      return linked(state, event);
    case 'IdentityUnlinked': {
      const { provider } = event.data;
      const email = provider === 'email' ? null : state.email;
      return { ...state, email, identities: without(state, provider) };
    }
    case 'AccessTokenIssued':
      return { ...state, accessTokenHash: event.data.accessTokenHash };
    case 'UserSettingsChanged':
      return { ...state, settings: event.data.settings };
    case 'UserLoggedIn':
    case 'SessionEnded':
      return state;
    case 'SessionsEnded':
      return { ...state, sessionEpoch: event.data.sessionEpoch };
  }
};

export const evolve = (state: UserState, event: UserEvent): UserState => {
  if (event.type === 'UserRegistered') return registered(event);
  if (state.status === 'absent') return state;
  if (isSecondFactorEvent(event)) {
    return { ...state, secondFactors: factorsAfter(state.secondFactors, event) };
  }
  return evolveKnown({ ...state, sessions: liveSessionsAfter(state.sessions, event) }, event);
};
