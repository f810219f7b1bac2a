import type { Vault } from '../../infra/ports/vault.ts';

/** What the sealed cookie `session` holds. */
type Session = Readonly<{ userId: number; epoch: number; issuedAt: number }>;

const maxAgeMs = 30 * 24 * 3_600_000;

const isSession = (value: unknown): value is Session => {
  if (typeof value !== 'object' || value === null) return false;
  const { userId, epoch, issuedAt } = value as Record<string, unknown>;
  return [userId, epoch, issuedAt].every((part) => Number.isSafeInteger(part));
};

const cookieNamed = (header: string | undefined, name: string): string | null => {
  for (const part of (header ?? '').split(';')) {
    const at = part.indexOf('=');
    if (at > 0 && part.slice(0, at).trim() === name) return part.slice(at + 1).trim();
  }
  return null;
};

const decoded = (text: string): string | null => {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
};

/** null: none, forged, or older than 30 days. */
export const readSession = (
  vault: Vault,
  cookieHeader: string | undefined,
  now: Date,
): Session | null => {
  const cookie = decoded(cookieNamed(cookieHeader, 'session') ?? '');
  if (cookie === null || cookie === '') return null;
  const value = vault.unsealSession(cookie);
  return isSession(value) && now.getTime() - value.issuedAt < maxAgeMs ? value : null;
};
