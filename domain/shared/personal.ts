import type { Event, Recorded } from './event.ts';
import type { UserId } from './ids.ts';
import { sealedPersonal } from './sealed.ts';
import { type InferFields, optional } from './shape.ts';

/**
 * Personal information of an event is taken out of its members and sealed together, as JSON of
 * `PersonalTexts`, under that person's own key. Absent in events that contain nothing of the kind.
 */
export const withPersonal = { personal: optional(sealedPersonal) };
export type WithPersonal = InferFields<typeof withPersonal>;

type Text = string | readonly string[];
/** By the path of the member: `username`, `terms.name`. */
export type PersonalTexts = Readonly<Record<string, Text>>;
type Members = Readonly<Record<string, unknown>>;

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const memberAt = (data: Members, [first = '', second]: readonly string[]): unknown => {
  const member = data[first];
  if (second === undefined) return member;
  return isMembers(member) ? member[second] : undefined;
};

/** A copy with another value at a place that is there. */
const withMember = (
  data: Members,
  [first = '', second]: readonly string[],
  value: Text,
): Members => {
  if (second === undefined) return { ...data, [first]: value };
  const member = data[first];
  return isMembers(member) ? { ...data, [first]: { ...member, [second]: value } } : data;
};

const isText = (value: unknown): value is Text =>
  (typeof value === 'string' || Array.isArray(value)) && value.length > 0;

/** The data without the values at `paths`, and these values; null when there were none. */
export const takeTexts = (
  data: Members,
  paths: readonly string[],
): Readonly<{ data: Members; texts: PersonalTexts }> | null => {
  const texts: Record<string, Text> = {};
  let rest = data;
  for (const path of paths) {
    const steps = path.split('.');
    const value = memberAt(data, steps);
    if (!isText(value)) continue;
    texts[path] = value;
    rest = withMember(rest, steps, typeof value === 'string' ? '' : []);
  }
  return rest === data ? null : { data: rest, texts };
};

/** The data with the texts back in their places. */
export const putTexts = (data: Members, texts: PersonalTexts): Members => {
  let whole = data;
  for (const [path, value] of Object.entries(texts)) {
    whole = withMember(whole, path.split('.'), value);
  }
  return whole;
};

/** Whose data an event carries; every event with personal members names that person so. */
export const subjectOf = ({ data }: Event): UserId | null => {
  const { userId, rootUserId } = data as {
    userId?: unknown;
    rootUserId?: unknown;
  };
  const id = userId ?? rootUserId;
  return typeof id === 'number' ? id : null;
};

/**
 * The person who acted; null when not identified. A person who signs up or in has no session yet
 * (`id` 0), and the event holds the id.
 */
export const actingPerson = ({
  event,
  metadata: { actor },
}: Pick<Recorded, 'event' | 'metadata'>): UserId | null => {
  if (actor.kind !== 'user' && actor.kind !== 'admin') return null;
  const id = Number(actor.id);
  return id === 0 ? subjectOf(event) : id;
};
