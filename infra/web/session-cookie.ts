import { type Session, sessionMaxAgeSeconds, validSession } from '../../domain/access/session.ts';
import { decodedCookie } from './cookies.ts';

const name = 'session';
const attributes = 'Path=/; HttpOnly; SameSite=Strict';

/** Opens a cookie's value; null when it is forged or malformed. */
type Open = (text: string) => unknown;

/** `Set-Cookie` value that keeps `text`, the sealed session, for as long as a session may last. */
export const sessionCookie = (text: string, isSecure: boolean): string => {
  const secure = isSecure ? '; Secure' : '';
  return `${name}=${encodeURIComponent(text)}; Max-Age=${sessionMaxAgeSeconds}; ${attributes}${secure}`;
};

/** `Set-Cookie` value that removes the session cookie. */
export const endedSessionCookie = `${name}=; Max-Age=0; ${attributes}`;

/** The session in a `Cookie` header; null when there is none, or it is forged, malformed or too old. */
export const readSession = (
  cookieHeader: string | undefined,
  open: Open,
  nowMs: number,
): Session | null => {
  const text = decodedCookie(cookieHeader, name);
  return text === null ? null : validSession(open(text), nowMs);
};
