import type { IncomingHttpHeaders } from 'node:http';
import { LRUCache } from 'lru-cache';
import { neededRole, type PersonAccess, type Role } from '../../domain/access/roles.ts';
import type { Session } from '../../domain/access/session.ts';
import { reject } from '../../domain/shared/decider.ts';
import type { UserId } from '../../domain/shared/ids.ts';
import { type UserState, userDecider } from '../../domain/user/decider.ts';
import { hasSecondFactor } from '../../domain/user/second-factors.ts';
import { accessTokenClaimStreamId, userStreamId } from '../../domain/user/stream.ts';
import type { Clock } from '../../infra/ports/clock.ts';
import type { SessionUse, SessionVerifier } from '../../infra/ports/sessions.ts';
import { accessTokenHash, tokenIn } from '../../infra/web/access-token.ts';
import { userHeaderRefusal } from '../../infra/web/user-header.ts';
import type { CommandHandler } from '../commands/handle-command.ts';
import type { Claims } from '../identity/claims.ts';
import type { SiteOptions } from '../options/site-options.ts';
import { currentSession } from './current-session.ts';

type Deps = Readonly<{
  sessionVerifier: SessionVerifier;
  sessionUse: SessionUse;
  clock: Clock;
  commands: CommandHandler;
  claims: Claims;
  options: SiteOptions;
}>;

export type Caller = Readonly<{
  userId: UserId;
  username: string;
  role: Role;
  group: string;
  via: 'session' | 'access-token';
  /** The requesting session; null with an access token. */
  session: Session | null;
  hasSecondFactor: boolean;
  hasPassword: boolean;
}>;

/**
 * `status` 401: the client sends the person to the login page; 403: to where a second factor is
 * enrolled; 200: it shows the message.
 */
const refusal = <C extends string>(status: 200 | 401 | 403, code: C) => ({
  status,
  ...reject(code),
});
export type SignInRefusal = ReturnType<
  typeof refusal<
    | 'auth.not-signed-in'
    | 'auth.user-header-missing'
    | 'auth.user-header-malformed'
    | 'auth.user-header-mismatch'
    | 'auth.invalid-access-token'
    | 'auth.banned'
    | 'auth.not-allowed'
    | 'auth.second-factor-not-enrolled'
  >
>;

const keptTokens = 10_000;

type Identity = Readonly<{ state: UserState }> & Pick<Caller, 'via' | 'session'>;

/** The caller, by the state of the user now: a ban or a new role counts from the next call on. */
export const createSignIn = (deps: Deps) => {
  const { claims, commands, options, sessionUse } = deps;
  // The user of a token never changes; whether it is still valid is checked each time.
  const owners = new LRUCache<string, UserId>({ max: keptTokens });

  const userState = async (userId: UserId): Promise<UserState> =>
    (await commands.load(userDecider, userStreamId(userId))).state;

  const bySession = async (headers: IncomingHttpHeaders): Promise<Identity | null> => {
    const current = await currentSession(deps, headers);
    if (!current) return null;
    const { session, state, isOpen } = current;
    // A banned user gets that reason, though the ban has ended the session.
    if (!isOpen && state.status !== 'banned') return null;
    if (isOpen) sessionUse.note(session.id);
    return { state, via: 'session', session };
  };

  const ownerOf = async (hash: string): Promise<UserId | null> => {
    const known = owners.get(hash);
    if (known !== undefined) return known;
    const owner = await claims.owner(accessTokenClaimStreamId(hash));
    if (owner !== null) owners.set(hash, owner);
    return owner;
  };

  const byAccessToken = async (authorization: string): Promise<Identity | null> => {
    const hash = accessTokenHash(tokenIn(authorization));
    const owner = await ownerOf(hash);
    if (owner === null) return null;
    const state = await userState(owner);
    if (state.status === 'absent' || state.status === 'deleted') return null;
    const isValid = state.accessTokenHash === hash;
    return isValid ? { state, via: 'access-token', session: null } : null;
  };

  const identify = async (headers: IncomingHttpHeaders): Promise<Identity | 'none' | null> => {
    const signedIn = await bySession(headers);
    if (signedIn) return signedIn;
    return headers.authorization ? byAccessToken(headers.authorization) : 'none';
  };

  /** What only administrators may call can be closed to those of them without a second factor. */
  const rightsProblem = async (
    state: Exclude<UserState, { status: 'absent' }>,
    access: PersonAccess,
  ): Promise<SignInRefusal | null> => {
    if (state.status !== 'active') return refusal(200, 'auth.banned');
    if (state.role < neededRole[access]) return refusal(200, 'auth.not-allowed');
    if (access === 'user' || hasSecondFactor(state.secondFactors)) return null;
    const isDemanded = await options.isOn('SecondFactorRequiredOfAdmins');
    return isDemanded ? refusal(403, 'auth.second-factor-not-enrolled') : null;
  };

  return async (
    headers: IncomingHttpHeaders,
    access: PersonAccess,
  ): Promise<Caller | SignInRefusal> => {
    const identity = await identify(headers);
    if (identity === 'none') return refusal(401, 'auth.not-signed-in');
    if (!identity || identity.state.status === 'absent') {
      return refusal(200, 'auth.invalid-access-token');
    }
    const { state, via, session } = identity;
    const problem = userHeaderRefusal(headers['new-api-user'], state.userId);
    if (problem !== null) return refusal(401, problem);
    const refused = await rightsProblem(state, access);
    if (refused) return refused;
    const { userId, username, role, group } = state;
    const proofs = {
      hasSecondFactor: hasSecondFactor(state.secondFactors),
      hasPassword: state.passwordHash !== null,
    };
    return { userId, username, role, group, via, session, ...proofs };
  };
};
