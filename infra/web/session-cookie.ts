import { type Session, sessionMaxAgeSeconds, validSession } from '../../domain/access/session.ts';
import { decodedCookie, setCookieText } from './cookies.ts';

const name = 'session';

/** The content of a cookie's value; null when it is forged or malformed. */
type Verify = (text: string) => unknown;

type Given = Readonly<{ text: string; session: Session; isSecure: boolean }>;

/** `Set-Cookie` value that keeps `text`, the signed session, for as long as the session may last. */
export const sessionCookie = ({ text, session, isSecure }: Given, nowMs: number): string => {
  const ageSeconds = Math.floor((nowMs - session.issuedAt) / 1_000);
  const maxAgeSeconds = Math.max(0, sessionMaxAgeSeconds - ageSeconds);
  return setCookieText(name, text, { maxAgeSeconds, isSecure });
};

/** `Set-Cookie` value that removes the session cookie. */
export const endedSessionCookie = (isSecure: boolean): string =>
  setCookieText(name, '', { maxAgeSeconds: 0, isSecure });

/** The session in a `Cookie` header; null when there is none, or it is forged, malformed or too old. */
export const readSession = (
  cookieHeader: string | undefined,
  verify: Verify,
  nowMs: number,
): Session | null => {
  const text = decodedCookie(cookieHeader, name);
  return text === null ? null : validSession(verify(text), nowMs);
};
