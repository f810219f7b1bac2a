import { randomBytes } from 'node:crypto';
import type { UserId } from '../../domain/shared/ids.ts';
import { cookieValue } from '../../infra/web/cookies.ts';
import { readSession } from '../../infra/web/session-cookie.ts';
import type { Call } from '../http/call.ts';
import type { Services } from '../services.ts';
import { loadUser } from '../user/find-user.ts';
import { isTls } from '../user/session-routes.ts';

const cookieName = 'login';
const markShape = /^[A-Za-z0-9_-]{43}$/;

/** The random mark of this browser; null when it has none. */
export const browserMark = ({ request }: Call): string | null => {
  const mark = cookieValue(request.headers.cookie, cookieName);
  return mark !== null && markShape.test(mark) ? mark : null;
};

/** Gives the browser a mark, or goes on with the one it has: two tabs may sign in at once. */
export const markBrowser = (call: Call, lifeSeconds: number): string => {
  const mark = browserMark(call) ?? randomBytes(32).toString('base64url');
  const attributes = `Max-Age=${lifeSeconds}; Path=/api/oauth; HttpOnly; SameSite=Strict`;
  const secure = isTls(call) ? '; Secure' : '';
  call.reply.header('set-cookie', `${cookieName}=${mark}; ${attributes}${secure}`);
  return mark;
};

/**
 * Who is signed in, on routes that anybody may call. As everywhere the user-id header must name
 * them; where it does not, the page believes itself signed out, and so does the answer.
 */
export const signedIn = async (
  services: Pick<Services, 'vault' | 'clock' | 'commands'>,
  { request: { headers } }: Call,
): Promise<UserId | null> => {
  const session = readSession(
    headers.cookie,
    services.vault.unsealSession,
    services.clock().getTime(),
  );
  if (!session || String(headers['new-api-user'] ?? '').trim() !== String(session.userId)) {
    return null;
  }
  const user = await loadUser(services, session.userId);
  return user?.status === 'active' && user.sessionEpoch === session.epoch ? user.userId : null;
};

/**
 * Browsers say which page a call comes from. A link or a form on somebody else's page must not sign
 * a visitor in as the one who made it.
 */
export const isFromElsewhere = ({ request: { headers } }: Call): boolean => {
  const site = headers['sec-fetch-site'];
  const isOther = site !== undefined && site !== 'same-origin';
  return isOther || headers['sec-fetch-mode'] === 'navigate';
};
