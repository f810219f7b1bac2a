import { rootRole } from '../../domain/access/roles.ts';
import { isOptionKey, optionTable } from '../../domain/option/table.ts';
import { type Rejected, reject } from '../../domain/shared/decider.ts';
import type { SessionId } from '../../domain/shared/ids.ts';
import type { Services } from '../services.ts';
import type { Call } from './call.ts';
import type { RejectionCode } from './rejection-messages.ts';
import { type RouteKey, sensitiveRoutes } from './route-access.ts';

/** A proof of the second factor holds this long in the session that brought it. */
export const confirmedSeconds = 10 * 60;

/** Sessions that brought the second factor lately. */
export const createConfirmations = ({ bus, clock }: Pick<Services, 'bus' | 'clock'>) => {
  const held = bus.keyValue('second-factor-confirmations', { ttlSeconds: confirmedSeconds });
  return {
    note: (sessionId: SessionId): Promise<void> => held.put(sessionId, clock().getTime()),
    async isFresh(sessionId: SessionId): Promise<boolean> {
      const at = await held.get<number>(sessionId);
      return at !== null && clock().getTime() - at < confirmedSeconds * 1_000;
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
 * Asks callers for their second factor again before what cannot be taken back. Access tokens are not
 * asked: issuing one is sensitive itself, and programs have no second factor at hand.
 */
export const createStepUp = (services: Pick<Services, 'bus' | 'clock'>) => {
  const confirmations = createConfirmations(services);
  return async (key: RouteKey, call: Call): Promise<Rejected<RejectionCode> | null> => {
    if (!isSensitive(key, call.request.body)) return null;
    const { session, hasSecondFactor } = call.caller;
    if (!hasSecondFactor || session === null) return null;
    const isFresh = await confirmations.isFresh(session.id);
    return isFresh ? null : reject('auth.second-factor-required');
  };
};
