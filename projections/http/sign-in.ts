import type { IncomingHttpHeaders } from 'node:http';
import { neededRole } from '../../domain/access/roles.ts';
import type { Session } from '../../domain/access/session.ts';
import { optionIsOn } from '../../domain/option/read.ts';
import type { Clock } from '../../infra/ports/clock.ts';
import type { SessionUse, SessionVerifier } from '../../infra/ports/sessions.ts';
import { accessTokenHash, tokenIn } from '../../infra/web/access-token.ts';
import { readSession } from '../../infra/web/session-cookie.ts';
import { userHeaderRefusal } from '../../infra/web/user-header.ts';
import type { Access } from '../contract/route.ts';
import type { KnownUser, Lookups } from './lookups.ts';
import { RefusedError } from './refusals.ts';

export type Caller = Readonly<{ id: number; username: string; role: number; group: string }>;
type Deps = Readonly<{
  lookups: Lookups;
  sessionVerifier: SessionVerifier;
  sessionUse: SessionUse;
  clock: Clock;
}>;
export type SignedIn = Readonly<{ caller: Caller; session: Session | null }>;
type Identity = Readonly<{ user: KnownUser; session: Session | null }>;

const bySession = async (deps: Deps, headers: IncomingHttpHeaders): Promise<Identity | null> => {
  const now = deps.clock().getTime();
  const session = readSession(headers.cookie, deps.sessionVerifier.verify, now);
  if (session === null) return null;
  const user = await deps.lookups.userBySession(session);
  if (user === null || user.deleted) return null;
  // A banned user gets that answer, though the ban has ended the session.
  if (user.status !== 1) return { user, session };
  if (!user.session_open || user.session_epoch !== session.epoch) return null;
  deps.sessionUse.note(session.id);
  return { user, session };
};

const byAccessToken = async (deps: Deps, authorization: string): Promise<KnownUser> => {
  const user = await deps.lookups.userByAccessTokenHash(accessTokenHash(tokenIn(authorization)));
  if (user === null || user.deleted) throw new RefusedError('auth.invalid-access-token');
  return user;
};

/** What only administrators may read can be closed to those of them without a second factor. */
const checkRights = async (
  { lookups }: Deps,
  user: KnownUser,
  access: 'user' | 'admin',
): Promise<void> => {
  if (user.status !== 1) throw new RefusedError('auth.banned');
  if (user.role < neededRole[access]) throw new RefusedError('auth.not-allowed');
  if (access === 'user' || user.has_second_factor) return;
  if (optionIsOn(await lookups.options(), 'SecondFactorRequiredOfAdmins')) {
    throw new RefusedError('auth.second-factor-not-enrolled', 403);
  }
};

/** Checks in the order of `infra/reference/console-rules.md`, against the user's current state. */
export const createSignIn =
  (deps: Deps) =>
  async (
    headers: IncomingHttpHeaders,
    access: Exclude<Access, 'public' | 'token'>,
  ): Promise<SignedIn | null> => {
    let identity = await bySession(deps, headers);
    if (access === 'visitor') {
      if (identity?.user.status !== 1) return null;
      return { caller: identity.user, session: identity.session };
    }
    if (identity === null) {
      if (!headers.authorization) throw new RefusedError('auth.not-signed-in', 401);
      identity = { user: await byAccessToken(deps, headers.authorization), session: null };
    }
    const { user, session } = identity;
    const problem = userHeaderRefusal(headers['new-api-user'], user.id);
    if (problem !== null) throw new RefusedError(problem, 401);
    await checkRights(deps, user, access);
    return { caller: user, session };
  };
