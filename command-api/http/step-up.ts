import { rootRole } from '../../domain/access/roles.ts';
import { isOptionKey, optionTable } from '../../domain/option/table.ts';
import { type Rejected, reject } from '../../domain/shared/decider.ts';
import type { SessionId } from '../../domain/shared/ids.ts';
import type { Bus } from '../../infra/ports/bus.ts';
import type { Clock } from '../../infra/ports/clock.ts';
import type { RouteKey } from '../contract/routes.ts';
import type { Call } from './call.ts';
import type { RejectionCode } from './rejection-messages.ts';
import type { Caller } from './sign-in.ts';

type Deps = Readonly<{
  bus: Bus;
  clock: Clock;
}>;

/** What a mistake or a stolen session would cost: settings of the super admin, money, keys, people. */
type Stake = 'root-options' | 'money' | 'keys' | 'people' | 'log' | 'factors';

/**
 * Routes whose effect cannot be taken back, with what is at stake: callers with a second factor are
 * asked for it again. `sensitiveBodies` has what in the body of some of them makes them sensitive.
 */
const sensitiveRoutes: ReadonlyMap<RouteKey, Stake> = new Map<RouteKey, Stake>([
  ['PUT /api/option/', 'root-options'],
  ['POST /api/option/oidc_discovery', 'root-options'],
  ['PUT /api/user/', 'money'],
  ['POST /api/audit/correction', 'money'],
  ['POST /api/redemption/', 'money'],
  ['PUT /api/redemption/', 'money'],
  ['POST /api/channel/', 'keys'],
  ['PUT /api/channel/', 'keys'],
  ['POST /api/user/manage', 'people'],
  ['DELETE /api/log/', 'log'],
  ['GET /api/user/token', 'keys'],
  ['POST /api/user/second_factors/totp', 'factors'],
  ['PUT /api/user/second_factors/totp', 'factors'],
  ['DELETE /api/user/second_factors/totp', 'factors'],
  ['POST /api/user/second_factors/passkey_options', 'factors'],
  ['POST /api/user/second_factors/passkeys', 'factors'],
  ['PUT /api/user/second_factors/passkeys/:id', 'factors'],
  ['DELETE /api/user/second_factors/passkeys/:id', 'factors'],
  ['POST /api/user/second_factors/recovery_codes', 'factors'],
]);

/** A proof holds this long in the session that brought it. */
const confirmedSeconds = 10 * 60;

/** What a session brought: a password or a login provider, or a second factor as well. */
export type Proof = 'first-factor' | 'second-factor';
type Noted = Readonly<{ proof: Proof; at: number }>;

/** Sessions whose owner has proven lately who they are. */
export const createConfirmations = ({ bus, clock }: Deps) => {
  const held = bus.keyValue('second-factor-confirmations', { ttlSeconds: confirmedSeconds });
  return {
    note: (sessionId: SessionId, proof: Proof): Promise<void> =>
      held.put<Noted>(sessionId, { proof, at: clock().getTime() }),
    async isFresh(sessionId: SessionId, needed: Proof): Promise<boolean> {
      const noted = await held.get<Noted>(sessionId);
      if (noted === null || (needed === 'second-factor' && noted.proof !== needed)) return false;
      return clock().getTime() - noted.at < confirmedSeconds * 1_000;
    },
  };
};

type Fields = Readonly<Record<string, unknown>>;
const isText = (value: unknown): boolean => typeof value === 'string' && value.trim() !== '';

const sensitiveActions: ReadonlySet<unknown> = new Set([
  'promote',
  'demote',
  'delete',
  'remove_second_factors',
]);

/** What makes a call of these routes sensitive; calls of other sensitive routes always are. */
const sensitiveBodies: Readonly<Partial<Record<RouteKey, (body: Fields) => boolean>>> = {
  'PUT /api/option/': ({ key }) =>
    typeof key === 'string' && isOptionKey(key) && optionTable[key].writer === rootRole,
  'PUT /api/user/': ({ quota, quota_seen, password }) =>
    (typeof quota === 'number' && quota !== quota_seen) || isText(password),
  'PUT /api/channel/': ({ key }) => isText(key),
  'POST /api/user/manage': ({ action }) => sensitiveActions.has(action),
};

const fieldsOf = (body: unknown): Fields =>
  typeof body === 'object' && body !== null ? (body as Fields) : {};

const isSensitive = (key: RouteKey, body: unknown): boolean =>
  sensitiveRoutes.has(key) && (sensitiveBodies[key]?.(fieldsOf(body)) ?? true);

/**
 * Requires the second factor again before what cannot be undone, and the password before the first
 * factor: a stolen session must not lock its owner out. Access tokens are exempt: issuing one is
 * sensitive itself, and programs have no second factor.
 */
export const createStepUp = (deps: Deps) => {
  const confirmations = createConfirmations(deps);
  const refuseUnless = async (
    session: Caller['session'],
    needed: Proof,
  ): Promise<Rejected<RejectionCode> | null> => {
    if (session === null || (await confirmations.isFresh(session.id, needed))) return null;
    return reject(
      needed === 'second-factor' ? 'auth.second-factor-required' : 'auth.password-required',
    );
  };
  return async (key: RouteKey, call: Call): Promise<Rejected<RejectionCode> | null> => {
    if (!isSensitive(key, call.request.body)) return null;
    const { session, hasSecondFactor, hasPassword } = call.caller;
    if (hasSecondFactor) return refuseUnless(session, 'second-factor');
    const isGuarded = sensitiveRoutes.get(key) === 'factors' && hasPassword;
    return isGuarded ? refuseUnless(session, 'first-factor') : null;
  };
};
