import type { Recorded } from '../../domain/shared/event.ts';
import type { SessionId, UserId } from '../../domain/shared/ids.ts';
import type { UserEvent } from '../../domain/user/events.ts';
import { type LiveSession, liveSessionsAfter } from '../../domain/user/live-sessions.ts';

/** Events that open or end sessions. */
const sessionEvents: ReadonlySet<string> = new Set<UserEvent['type']>([
  'UserLoggedIn',
  'SessionEnded',
  'SessionsEnded',
  'PasswordChanged',
  'PasswordReset',
  'UserPromoted',
  'UserDemoted',
  'UserDisabled',
  'UserDeleted',
]);

/** People whose sessions a batch of events touches. */
export const peopleWithSessions = (events: readonly Recorded[]): readonly UserId[] => {
  const touched = events.filter(({ event }) => sessionEvents.has(event.type));
  return [...new Set(touched.map(({ event }) => (event.data as { userId: UserId }).userId))];
};

type SessionChange = Readonly<{
  live: readonly LiveSession[];
  ended: readonly SessionId[];
}>;

/** Open sessions as they were before a batch, folded while the batch goes by. */
export interface LiveSessions {
  after(event: UserEvent): SessionChange;
}

export const createLiveSessions = (
  before: ReadonlyMap<UserId, readonly LiveSession[]>,
): LiveSessions => {
  const held = new Map(before);
  return {
    after(event) {
      const { userId } = event.data;
      const known = held.get(userId) ?? [];
      const live = liveSessionsAfter(known, event);
      held.set(userId, live);
      const open = new Set(live.map(({ sessionId }) => sessionId));
      const ended = known.filter(({ sessionId }) => !open.has(sessionId));
      return { live, ended: ended.map(({ sessionId }) => sessionId) };
    },
  };
};
