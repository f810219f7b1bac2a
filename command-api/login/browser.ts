import type { UserId } from '../../domain/shared/ids.ts';
import { createBrowserMark } from '../http/browser-mark.ts';
import type { Call } from '../http/call.ts';
import { currentSession } from '../http/current-session.ts';
import type { Services } from '../services.ts';
import { stateLifeSeconds } from './login-states.ts';

/** The mark that states of logins are bound to. */
export const createLoginMark = (services: Pick<Services, 'options'>) =>
  createBrowserMark(services, {
    name: 'login',
    path: '/api/oauth',
    maxAgeSeconds: stateLifeSeconds,
  });

/**
 * Who is signed in, on routes that anybody may call. As everywhere the user-id header must name
 * them; where it does not, the page believes itself signed out, and so does the answer.
 */
export const signedIn = async (
  services: Pick<Services, 'sessionVerifier' | 'clock' | 'commands'>,
  { request: { headers } }: Call,
): Promise<UserId | null> => {
  const current = await currentSession(services, headers);
  if (!current?.isOpen) return null;
  const { userId } = current.session;
  return String(headers['new-api-user'] ?? '').trim() === String(userId) ? userId : null;
};
