import { CompiledQuery } from 'kysely';
import type { Recorded } from '../../domain/shared/event.ts';
import type { AuditSubjectKind } from '../contract/audit.ts';
import type { Place } from '../runtime/projector.ts';
import { qualified } from '../runtime/table.ts';
import type { Departures } from '../shared/departures.ts';
import type { KnownThingRow } from './table.ts';

export type Fields = Readonly<Record<string, unknown>>;
export type Subject = Readonly<{ kind: AuditSubjectKind; id: string }>;
export type Thing = Readonly<{ fields: Fields; name: string; sealed: string }>;

export const thingOf = ({ kind, id }: Subject): string => `${kind}/${id}`;

/** The things of a batch as they were before it, kept up to date while the batch goes by. */
export type Things = Map<string, Thing>;
export type TrailContext = Readonly<{ things: Things; departed: Departures }>;

/** What an event is about, by the ids that it carries. */
export const subjectOf = ({ event }: Pick<Recorded, 'event'>): Subject | null => {
  const { key, userId, tokenId, channelId, redemptionId, tradeNo } = (event.data ?? {}) as Readonly<
    Record<string, unknown>
  >;
  if (/^(Quota|Correction|Referral|RequestRefunded)/.test(event.type)) {
    return { kind: 'account', id: String(userId) };
  }
  if (/^(Site|UsageLog)/.test(event.type)) return { kind: 'site', id: 'site' };
  if (typeof key === 'string') return { kind: 'option', id: key };
  if (typeof tokenId === 'number') return { kind: 'token', id: String(tokenId) };
  if (typeof channelId === 'number') return { kind: 'channel', id: String(channelId) };
  if (typeof tradeNo === 'string') return { kind: 'topup', id: tradeNo };
  if (typeof redemptionId === 'number') return { kind: 'redemption', id: String(redemptionId) };
  return typeof userId === 'number' ? { kind: 'user', id: String(userId) } : null;
};

const readThings = async (events: readonly Recorded[], { db, schema }: Place): Promise<Things> => {
  const names = new Set<string>();
  for (const recorded of events) {
    const subject = subjectOf(recorded);
    if (subject !== null) names.add(thingOf(subject));
  }
  if (names.size === 0) return new Map();
  const { rows } = await db.executeQuery<KnownThingRow>(
    CompiledQuery.raw(
      `SELECT thing, fields, name, sealed FROM ${qualified(schema, 'things')} ` +
        'WHERE thing = ANY($1::text[])',
      [[...names]],
    ),
  );
  return new Map(
    rows.map(({ thing, fields, name, sealed }) => [
      thing,
      { fields: JSON.parse(fields) as Fields, name, sealed },
    ]),
  );
};

export const prepareTrail = async (
  events: readonly Recorded[],
  place: Place,
): Promise<TrailContext> => ({ things: await readThings(events, place), departed: new Set() });
