import type { AuditRow } from '../contract/audit.ts';
import { shownActor } from '../shared/people.ts';
import { addressOf, nameOf, type Opening, withSealedChanges } from './people.ts';
import type { AuditTrailRow } from './table.ts';

type Values = Readonly<Record<string, unknown>>;
type Names = ReadonlyMap<number, string>;
export type Showing = Opening &
  Readonly<{
    /** People that rows are about. */
    subjects: Names;
    /** People who acted; null: the reader is an ordinary user, who learns nothing of admins. */
    actors: Names | null;
  }>;

const changesOf = ({ before, after }: AuditTrailRow): AuditRow['changes'] => {
  const was = JSON.parse(before) as Values;
  const is = JSON.parse(after) as Values;
  const fields = new Set([...Object.keys(was), ...Object.keys(is)]);
  return [...fields].map((field) => ({
    field,
    before: was[field] ?? null,
    after: is[field] ?? null,
  }));
};

export const isAboutPerson = ({ subject_kind: kind }: AuditTrailRow): boolean =>
  kind === 'user' || kind === 'account';

const subjectName = (row: AuditTrailRow, showing: Showing): string =>
  isAboutPerson(row) ? (showing.subjects.get(Number(row.subject_id)) ?? '') : nameOf(row, showing);

/** An entry as the contract has it. */
export const toWire = (row: AuditTrailRow, showing: Showing): AuditRow => ({
  id: String(row.position),
  event_id: row.event_id,
  at: row.at,
  type: row.type,
  actor: shownActor(row, showing.actors),
  ip: showing.actors === null && row.actor_kind === 'admin' ? '' : addressOf(row, showing),
  subject: { kind: row.subject_kind, id: row.subject_id, name: subjectName(row, showing) },
  reason: row.reason,
  changes: withSealedChanges(changesOf(row), row, showing),
  secrets: row.secrets === '' ? [] : row.secrets.split(','),
  request_id: row.request_id,
});
