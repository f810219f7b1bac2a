import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Clock } from '../../infra/ports/clock.ts';
import type { ReadVault } from '../../infra/ports/vault.ts';
import { readSession } from '../../infra/web/session-cookie.ts';
import type { KnownUser, Lookups } from './lookups.ts';
import { RefusedError } from './refusals.ts';
import type { Access } from './route-access.ts';

export type Caller = Readonly<{ id: number; username: string; role: number; group: string }>;
type Deps = Readonly<{ lookups: Lookups; vault: ReadVault; clock: Clock }>;

const neededRole = { visitor: 1, user: 1, admin: 10 } as const;

const bySession = async (deps: Deps, headers: IncomingHttpHeaders): Promise<KnownUser | null> => {
  const session = readSession(headers.cookie, deps.vault.unsealSession, deps.clock().getTime());
  if (session === null) return null;
  const user = await deps.lookups.userById(session.userId);
  if (user === null || user.deleted) return null;
  // Whoever is banned is told so, though the ban has ended the session.
  return user.status !== 1 || user.session_epoch === session.epoch ? user : null;
};

const byAccessToken = async (deps: Deps, authorization: string): Promise<KnownUser> => {
  const token = authorization.replace(/^Bearer\s+/i, '').trim();
  const hash = createHash('sha256').update(token).digest('hex');
  const user = await deps.lookups.userByAccessTokenHash(hash);
  if (user === null || user.deleted) throw new RefusedError('auth.invalid-access-token');
  return user;
};

const checkUserHeader = (header: string | string[] | undefined, userId: number): void => {
  if (header === undefined) throw new RefusedError('auth.user-header-missing', 401);
  const text = String(header).trim();
  if (!/^-?\d+$/.test(text)) throw new RefusedError('auth.user-header-malformed', 401);
  if (Number(text) !== userId) throw new RefusedError('auth.user-header-mismatch', 401);
};

/** Checks in the order of the console sheet, section 2.2, against what the user is now. */
export const createSignIn =
  (deps: Deps) =>
  async (
    headers: IncomingHttpHeaders,
    access: Exclude<Access, 'public' | 'token'>,
  ): Promise<Caller | null> => {
    let user = await bySession(deps, headers);
    if (access === 'visitor') return user?.status === 1 ? user : null;
    if (user === null) {
      if (!headers.authorization) throw new RefusedError('auth.not-signed-in', 401);
      user = await byAccessToken(deps, headers.authorization);
    }
    checkUserHeader(headers['new-api-user'], user.id);
    if (user.status !== 1) throw new RefusedError('auth.banned');
    if (user.role < neededRole[access]) throw new RefusedError('auth.not-allowed');
    return user;
  };
