import type { UserId } from '../../domain/shared/ids.ts';
import type { Clock } from '../../infra/ports/clock.ts';
import type { SessionVerifier } from '../../infra/ports/sessions.ts';
import type { CommandHandler } from '../commands/handle-command.ts';
import { createBrowserMark } from '../http/browser-mark.ts';
import type { Call } from '../http/call.ts';
import { currentSession } from '../http/current-session.ts';
import type { SiteOptions } from '../options/site-options.ts';
import { stateTtlSeconds } from './login-states.ts';

type Deps = Readonly<{
  sessionVerifier: SessionVerifier;
  clock: Clock;
  commands: CommandHandler;
  options: SiteOptions;
}>;

/** The mark that states of logins are bound to. */
export const createLoginMark = (deps: Pick<Deps, 'options'>) =>
  createBrowserMark(deps, {
    name: 'login',
    path: '/api/oauth',
    maxAgeSeconds: stateTtlSeconds,
  });

/**
 * The signed-in user, on routes that anybody may call. As everywhere the user-id header must name
 * them; where it does not, the page shows itself as signed out, and so does the answer.
 */
export const signedIn = async (
  deps: Pick<Deps, 'sessionVerifier' | 'clock' | 'commands'>,
  { request: { headers } }: Call,
): Promise<UserId | null> => {
  const current = await currentSession(deps, headers);
  if (!current?.isOpen) return null;
  const { userId } = current.session;
  return String(headers['new-api-user'] ?? '').trim() === String(userId) ? userId : null;
};
