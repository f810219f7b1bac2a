import { type Session, sessionMaxAgeSeconds } from '../access/session.ts';
import type { SessionId } from '../shared/ids.ts';
import type { SessionOpened, UserEvent } from './events.ts';

export type LiveSession = Readonly<{
  sessionId: SessionId;
  /** ISO-8601. */
  openedAt: string;
}>;

/** More sessions of one person than this end the oldest. */
export const maxLiveSessions = 50;

const isExpired = ({ openedAt }: LiveSession, now: string): boolean =>
  Date.parse(now) - Date.parse(openedAt) >= sessionMaxAgeSeconds * 1_000;

/** Sessions that can still be used at `now`, oldest first. */
export const unexpired = (live: readonly LiveSession[], now: string): readonly LiveSession[] =>
  live.filter((session) => !isExpired(session, now));

const withOpened = (
  live: readonly LiveSession[],
  { sessionId, openedAt }: SessionOpened,
): readonly LiveSession[] => [...unexpired(live, openedAt), { sessionId, openedAt }];

const only = (live: readonly LiveSession[], kept: SessionId | undefined): readonly LiveSession[] =>
  live.filter(({ sessionId }) => sessionId === kept);

/** The sessions of a person that are open after an event, oldest first. */
export const liveSessionsAfter = (
  live: readonly LiveSession[],
  event: UserEvent,
): readonly LiveSession[] => {
  switch (event.type) {
    case 'UserLoggedIn':
      return withOpened(live, event.data.session);
    case 'SessionEnded':
      return live.filter(({ sessionId }) => sessionId !== event.data.sessionId);
    case 'PasswordChanged':
    case 'PasswordReset':
    case 'SessionsEnded':
      return only(live, event.data.keptSessionId);
    case 'UserPromoted':
    case 'UserDemoted':
    case 'UserDisabled':
    case 'UserDeleted':
      return [];
    case 'UserRegistered':
    case 'UserProfileChanged':
    case 'UserGroupChanged':
    case 'UserEnabled':
    case 'IdentityLinked':
    case 'IdentityUnlinked':
    case 'AccessTokenIssued':
    case 'UserSettingsChanged':
    case 'TotpEnrolled':
    case 'TotpRemoved':
    case 'TotpCodeUsed':
    case 'RecoveryCodesIssued':
    case 'RecoveryCodeUsed':
    case 'PasskeyAdded':
    case 'PasskeyRenamed':
    case 'PasskeyRemoved':
    case 'PasskeyUsed':
    case 'SecondFactorsRemoved':
      return live;
  }
};

/** Whether this session is open, by the current state of its user. */
export const holdsSession = (
  user: Readonly<{ sessionEpoch: number; sessions: readonly LiveSession[] }>,
  session: Pick<Session, 'id' | 'epoch'>,
): boolean =>
  user.sessionEpoch === session.epoch &&
  user.sessions.some(({ sessionId }) => sessionId === session.id);
