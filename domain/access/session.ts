import type { SessionId, UserId } from '../shared/ids.ts';

/** The content of a session cookie. It names no role: that is read on each call. */
export type Session = Readonly<{
  id: SessionId;
  userId: UserId;
  /** Session epoch of the user when the session was opened; a newer epoch ends the session. */
  epoch: number;
  /** Unix milliseconds. */
  issuedAt: number;
}>;

export const sessionMaxAgeSeconds = 30 * 24 * 60 * 60;
/** How far the clock of the process that opened a session may run ahead, in milliseconds. */
const clockSkewMs = 60_000;

const sessionIdShape = /^[A-Za-z0-9_-]{22}$/;

const isSessionId = (value: unknown): value is SessionId =>
  typeof value === 'string' && sessionIdShape.test(value);

const isSession = (value: unknown): value is Session => {
  if (typeof value !== 'object' || value === null) return false;
  const { id, userId, epoch, issuedAt } = value as Record<string, unknown>;
  return isSessionId(id) && [userId, epoch, issuedAt].every((part) => Number.isSafeInteger(part));
};

/** The session in a verified cookie value; null when it has another shape or is not valid at `nowMs`. */
export const validSession = (value: unknown, nowMs: number): Session | null => {
  if (!isSession(value)) return null;
  const ageMs = nowMs - value.issuedAt;
  return ageMs >= -clockSkewMs && ageMs < sessionMaxAgeSeconds * 1_000 ? value : null;
};
