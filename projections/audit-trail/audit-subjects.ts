import { catalogueEntryOf } from '../../domain/events.ts';
import type { AuditSubject } from '../../domain/shared/catalogue.ts';
import type { Recorded } from '../../domain/shared/event.ts';
import type { AuditSubjectKind } from '../contract/audit.ts';
import type { Place } from '../runtime/row-store.ts';
import type { Departures } from '../shared/departures.ts';
import { auditTrailTables, type KnownThingRow } from './table.ts';

export type Fields = Readonly<Record<string, unknown>>;
export type Subject = Readonly<{ kind: AuditSubjectKind; id: string }>;
/** The stored facts of a subject. */
export type KnownSubject = Readonly<{ fields: Fields; name: string; sealed: string }>;

export const subjectKey = ({ kind, id }: Subject): string => `${kind}/${id}`;

/** The person whom an event is about; 0: none. */
export const ownerOf = ({ event }: Pick<Recorded, 'event'>): number => {
  const { userId, redeemedBy } = event.data as { userId?: number; redeemedBy?: number };
  return userId ?? redeemedBy ?? 0;
};
const personKey = (owner: number): string => subjectKey({ kind: 'user', id: String(owner) });

/** A deleted person has an entry, and no field any more. */
export const hasLeft = (subjects: KnownSubjects, owner: number): boolean => {
  const person = subjects.get(personKey(owner));
  return person !== undefined && Object.keys(person.fields).length === 0;
};

/** The subjects of a batch as they were before it, kept up to date while the batch goes by. */
export type KnownSubjects = Map<string, KnownSubject>;
export type TrailContext = Readonly<{ subjects: KnownSubjects; departed: Departures }>;

/** The field of an event's data that holds the id of its subject. */
const idFields = {
  option: 'key',
  user: 'userId',
  account: 'userId',
  token: 'tokenId',
  channel: 'channelId',
  redemption: 'redemptionId',
  topup: 'tradeNo',
} as const satisfies Record<Exclude<AuditSubject, 'site'>, string>;

/** The catalogue defines under what an event is filed; null: the trail leaves it out. */
export const subjectOf = ({ event }: Pick<Recorded, 'event'>): Subject | null => {
  const kind = catalogueEntryOf(event.type)?.auditSubject ?? null;
  if (kind === null) return null;
  if (kind === 'site') return { kind, id: 'site' };
  const id = (event.data as Fields)[idFields[kind]];
  return { kind, id: String(id) };
};

const readSubjects = async (
  events: readonly Recorded[],
  { rows, schema }: Place,
): Promise<KnownSubjects> => {
  const names = new Set<string>();
  for (const recorded of events) {
    const subject = subjectOf(recorded);
    if (subject === null) continue;
    names.add(subjectKey(subject));
    const owner = ownerOf(recorded);
    if (owner !== 0) names.add(personKey(owner));
  }
  if (names.size === 0) return new Map();
  const selection = { table: auditTrailTables.things, column: 'thing', values: [...names] };
  const things = await rows.select<KnownThingRow>(schema, selection);
  return new Map(
    things.map(({ thing, fields, name, sealed }) => [
      thing,
      { fields: JSON.parse(fields) as Fields, name, sealed },
    ]),
  );
};

export const prepareTrail = async (
  events: readonly Recorded[],
  place: Place,
): Promise<TrailContext> => ({ subjects: await readSubjects(events, place), departed: new Set() });
