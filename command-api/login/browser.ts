import { randomBytes } from 'node:crypto';
import type { UserId } from '../../domain/shared/ids.ts';
import { cookieValue, setCookieText } from '../../infra/web/cookies.ts';
import type { Call } from '../http/call.ts';
import { currentSession } from '../http/current-session.ts';
import { isSecureSite } from '../http/secure-site.ts';
import type { Services } from '../services.ts';

const cookieName = 'login';
const markShape = /^[A-Za-z0-9_-]{43}$/;

/** The random mark of this browser; null when it has none. */
export const browserMark = ({ request }: Call): string | null => {
  const mark = cookieValue(request.headers.cookie, cookieName);
  return mark !== null && markShape.test(mark) ? mark : null;
};

/** Gives the browser a mark, or goes on with the one it has: two tabs may sign in at once. */
export const markBrowser = async (
  services: Pick<Services, 'options'>,
  call: Call,
  maxAgeSeconds: number,
): Promise<string> => {
  const mark = browserMark(call) ?? randomBytes(32).toString('base64url');
  const isSecure = await isSecureSite(services, call.request.headers);
  const attributes = { maxAgeSeconds, path: '/api/oauth', isSecure };
  call.reply.header('set-cookie', setCookieText(cookieName, mark, attributes));
  return mark;
};

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
