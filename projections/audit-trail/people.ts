import type { PersonalSeal } from '../../infra/ports/vault.ts';
import type { AuditRow } from '../contract/audit.ts';
import type { Lookups } from '../http/lookups.ts';
import { personIds } from '../shared/people.ts';
import { textsOf } from '../shared/personal-data.ts';
import type { AuditTrailRow } from './table.ts';

/** What opens the rows of a page, for as long as the people in them are there. */
export type Opening = Readonly<{ seals: ReadonlyMap<number, PersonalSeal> }>;

export const openingOf = async (
  lookups: Lookups,
  rows: readonly AuditTrailRow[],
): Promise<Opening> => {
  const owners = rows.flatMap(({ sealed, sealed_before, owner_id }) =>
    sealed === '' && sealed_before === '' ? [] : [owner_id],
  );
  const actors = personIds(rows.filter(({ sealed_ip }) => sealed_ip !== ''));
  return { seals: await lookups.personalSeals([...new Set([...owners, ...actors])]) };
};

export const addressOf = (row: AuditTrailRow, { seals }: Opening): string => {
  if (row.sealed_ip === '') return row.ip;
  return seals.get(Number(row.actor_id))?.unseal(row.sealed_ip, 'ip') ?? '';
};

/** The members of events that the trail shows, and what they are called there. */
const shownFields: Readonly<Record<string, string>> = {
  username: 'username',
  'terms.name': 'name',
  'terms.allowIps': 'allowIps',
};
type Values = Readonly<Record<string, unknown>>;

const valuesIn = (sealed: string, row: AuditTrailRow, { seals }: Opening): Values => {
  const seal = seals.get(row.owner_id);
  if (sealed === '' || seal === undefined) return {};
  const shown = Object.entries(textsOf(seal, sealed)).flatMap(([path, value]) => {
    const field = shownFields[path];
    return field === undefined ? [] : [[field, value] as const];
  });
  return Object.fromEntries(shown);
};

/** Of a token; people are looked up, and other things have their name in the clear. */
export const nameOf = (row: AuditTrailRow, opening: Opening): string => {
  const { name } = valuesIn(row.sealed || row.sealed_before, row, opening);
  return typeof name === 'string' ? name : row.subject_name;
};

const endings: ReadonlySet<string> = new Set(['UserDeleted', 'TokenDeleted']);
/** Nothing is sealed where there is no content: an empty list is not among the sealed values. */
const emptyLike = (value: unknown): unknown => (Array.isArray(value) ? [] : '');
const isSame = (left: unknown, right: unknown): boolean =>
  JSON.stringify(left) === JSON.stringify(right);

/** The sealed fields, put in their places among the changes. */
export const withSealedChanges = (
  changes: AuditRow['changes'],
  row: AuditTrailRow,
  opening: Opening,
): AuditRow['changes'] => {
  const isEnd = endings.has(row.type);
  if (row.sealed === '' && !isEnd) return changes;
  const was = valuesIn(row.sealed_before, row, opening);
  const is = valuesIn(row.sealed, row, opening);
  const merged = new Map(changes.map((change) => [change.field, change]));
  for (const field of new Set([...Object.keys(was), ...Object.keys(is)])) {
    const plain = merged.get(field);
    const noneBefore = row.sealed_before === '' ? null : emptyLike(is[field]);
    const before = was[field] ?? plain?.before ?? noneBefore;
    const after = isEnd ? null : (is[field] ?? plain?.after ?? emptyLike(was[field]));
    if (isSame(before, after)) merged.delete(field);
    else merged.set(field, { field, before, after });
  }
  return [...merged.values()];
};
