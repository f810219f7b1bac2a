import type { IncomingHttpHeaders } from 'node:http';
import type { Session } from '../../domain/access/session.ts';
import { userDecider } from '../../domain/user/decider.ts';
import { holdsSession } from '../../domain/user/live-sessions.ts';
import type { UserState } from '../../domain/user/state.ts';
import { userStreamId } from '../../domain/user/stream.ts';
import type { Clock } from '../../infra/ports/clock.ts';
import type { SessionVerifier } from '../../infra/ports/sessions.ts';
import { readSession } from '../../infra/web/session-cookie.ts';
import type { CommandHandler } from '../commands/handle-command.ts';

type Deps = Readonly<{
  sessionVerifier: SessionVerifier;
  clock: Clock;
  commands: CommandHandler;
}>;

/** The session that a request's cookie names; whether it is still open is another question. */
export const signedSession = (
  { sessionVerifier, clock }: Pick<Deps, 'sessionVerifier' | 'clock'>,
  headers: IncomingHttpHeaders,
): Session | null => readSession(headers.cookie, sessionVerifier.verify, clock().getTime());

const isOpen = (state: UserState, session: Session): boolean =>
  state.status === 'active' && holdsSession(state, session);

export type CurrentSession = Readonly<{ session: Session; state: UserState; isOpen: boolean }>;

/**
 * The session of a request and its user as they are now. Another process may have opened it a
 * moment ago, so a miss in memory is no proof: the log is read once.
 */
export const currentSession = async (
  needs: Deps,
  headers: IncomingHttpHeaders,
): Promise<CurrentSession | null> => {
  const session = signedSession(needs, headers);
  if (session === null) return null;
  const streamId = userStreamId(session.userId);
  const remembered = await needs.commands.load(userDecider, streamId);
  if (isOpen(remembered.state, session)) return { session, ...remembered, isOpen: true };
  const { state } = await needs.commands.load(userDecider, streamId, { fresh: true });
  return { session, state, isOpen: isOpen(state, session) };
};
