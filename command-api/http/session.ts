import type { Vault } from '../../infra/ports/vault.ts';

/** What the cookie holds, sealed. It names no role: that is looked up on each call. */
export type Session = Readonly<{
  userId: number;
  /** Of the user when the session was opened; a newer one ends it. */
  epoch: number;
  /** Unix milliseconds. */
  issuedAt: number;
}>;

export const sessionCookieName = 'session';
const maxAgeSeconds = 30 * 24 * 60 * 60;
const attributes = 'Path=/; HttpOnly; SameSite=Strict';

const isSession = (value: unknown): value is Session => {
  if (typeof value !== 'object' || value === null) return false;
  const { userId, epoch, issuedAt } = value as Record<string, unknown>;
  return [userId, epoch, issuedAt].every((part) => Number.isSafeInteger(part));
};

export const sessionCookie = (vault: Vault, session: Session, secure: boolean): string => {
  const value = encodeURIComponent(vault.sealSession(session));
  const safe = secure ? '; Secure' : '';
  return `${sessionCookieName}=${value}; Max-Age=${maxAgeSeconds}; ${attributes}${safe}`;
};

export const endedSessionCookie = `${sessionCookieName}=; Max-Age=0; ${attributes}`;

export const cookieValue = (header: string, name: string): string | null => {
  for (const part of header.split(';')) {
    const at = part.indexOf('=');
    if (at > 0 && part.slice(0, at).trim() === name) return part.slice(at + 1).trim();
  }
  return null;
};

/** null: no session, a forged one, or one that is older than 30 days. */
export const readSession = (
  vault: Vault,
  cookieHeader: string | undefined,
  now: Date,
): Session | null => {
  const raw = cookieValue(cookieHeader ?? '', sessionCookieName);
  if (raw === null || raw === '') return null;
  let value: unknown;
  try {
    value = vault.unsealSession(decodeURIComponent(raw));
  } catch (error) {
    if (error instanceof URIError) return null;
    throw error;
  }
  if (!isSession(value)) return null;
  return now.getTime() - value.issuedAt < maxAgeSeconds * 1_000 ? value : null;
};
