import { isQuotaSetting } from '../../../shared/quota-settings.ts';
import type { AuditChange, AuditRow } from '../api/audit.ts';
import { type DiffLine, diffOf } from './diff.ts';
import { fieldOf, isFieldName, secretNames, type ValueKind } from './field-kinds.ts';
import { isAbsent, type Reader, readable, type Shown, shownValue } from './shown-value.ts';

const shownChanges = 3;
const maxValueLength = 40;
const shownNames = 2;
/** The subject of an entry is first. */
const leading = [
  'delta',
  'payable',
  'paid',
  'amount',
  'quota',
  'bonusQuota',
  'remainQuota',
  'balance',
  'role',
  'type',
];

const isSetting = ({ subject }: AuditRow, field: string): boolean =>
  subject.kind === 'option' && field === 'value';

/** "" for the value of a setting: the sentence names the setting. */
export const fieldText = (field: string, row: AuditRow, { t }: Reader): string => {
  if (isSetting(row, field)) return '';
  const secret = secretNames.find((name) => name === field);
  if (secret) return t(`secret.${secret}`);
  return isFieldName(field) ? t(`field.${field}`) : field;
};

/** Settings are text, whatever they hold. */
const settingKind = ({ id }: AuditRow['subject'], values: readonly unknown[]): ValueKind => {
  if (isQuotaSetting(id)) return 'units';
  if (values.some((value) => value === 'true' || value === 'false')) return 'switch';
  return values.some((value) => /^\s*[[{]/.test(String(value))) ? 'json' : 'text';
};

const kindOf = ({ field, before, after }: AuditChange, row: AuditRow): ValueKind =>
  isSetting(row, field) ? settingKind(row.subject, [before, after]) : fieldOf(field)[0];

const sidesOf = (change: AuditChange, row: AuditRow, reader: Reader) => {
  const writing = { ...reader, row, field: change.field, kind: kindOf(change, row) };
  return [shownValue(change.before, writing), shownValue(change.after, writing)] as const;
};

const isShort = (shown: Shown | null): boolean =>
  shown === null || (shown.text.length <= maxValueLength && !shown.text.includes('\n'));

/** Both values where both are short, the new one where there was none before. */
const inShort = (change: AuditChange, row: AuditRow, { t, ...reader }: Reader): Shown | null => {
  const [before, after] = sidesOf(change, row, { t, ...reader });
  if (kindOf(change, row) === 'json' || !isShort(before) || !isShort(after)) return null;
  if (before === null || after === null) return after ?? before;
  const text = t('from-to', { before: before.text, after: after.text });
  if (before.title === undefined || after.title === undefined) return { text };
  return { text, title: t('from-to', { before: before.title, after: after.title }) };
};

const namesOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.map(readable) : [];

/** What was added to a list and what was removed, by name where there is room. */
const listChange = ({ before, after }: AuditChange, { t }: Reader): string | null => {
  const [old, now] = [namesOf(before), namesOf(after)];
  const separator = t('list-separator');
  const added = now.filter((name) => !old.includes(name)).join(separator);
  const removed = old.filter((name) => !now.includes(name)).join(separator);
  if (old.length === 0 && now.length > shownNames) {
    const names = now.slice(0, shownNames).join(separator);
    return t('list-more', { names, count: now.length - shownNames });
  }
  if (added.length + removed.length > maxValueLength) return null;
  if (old.length === 0) return added;
  return [
    ...(added === '' ? [] : [t('list-added', { names: added })]),
    ...(removed === '' ? [] : [t('list-removed', { names: removed })]),
  ].join(separator);
};

const changeText = (change: AuditChange, row: AuditRow, reader: Reader): Shown | null => {
  const { t } = reader;
  const list = kindOf(change, row) === 'list' ? listChange(change, reader) : null;
  const shown = list === null ? inShort(change, row, reader) : { text: list };
  if (shown !== null) return shown;
  const count = diffOf(change).length;
  return count === 0 ? null : { text: t('entries-changed', { count }) };
};

const isEmpty = (value: unknown): boolean => isAbsent(value) || value === 0 || value === false;

/** Shown with the details only: the sentence or another field contains it. */
const inDetailsOnly: ReadonlySet<string> = new Set(['status', 'seen', 'reason']);

/** The sentence contains it already, or there is nothing to add. */
const isRedundant = ({ field, before, after }: AuditChange, row: AuditRow): boolean => {
  if (inDetailsOnly.has(field)) return true;
  if (isSetting(row, field) || !isAbsent(before)) return false;
  const [kind, none] = fieldOf(field);
  const isNamed = kind === 'person' ? String(after) === row.actor.id : after === row.subject.name;
  return isNamed || isEmpty(after) || after === none?.value;
};

/** Of what is gone, only the money that went with it. */
const isGone = ({ field, after }: AuditChange, row: AuditRow): boolean =>
  after === null && !isSetting(row, field) && !leading.includes(field);

const rankOf = ({ field }: AuditChange): number => {
  const rank = leading.indexOf(field);
  return rank === -1 ? leading.length : rank;
};

const named = (shown: Shown, field: string, { t }: Reader): Shown => {
  if (field === '') return shown;
  const name = (text: string) => t('named', { field, text });
  const { text, title } = shown;
  return { text: name(text), ...(title !== undefined && { title: name(title) }) };
};

/** What changed, in short: the first fields, and how many more there are. */
export const changesInShort = (row: AuditRow, reader: Reader): readonly Shown[] => {
  const texts = row.changes
    .filter((change) => !isRedundant(change, row) && !isGone(change, row))
    .sort((left, right) => rankOf(left) - rankOf(right))
    .flatMap((change) => {
      const shown = changeText(change, row, reader);
      return shown === null ? [] : [named(shown, fieldText(change.field, row, reader), reader)];
    });
  const rest = texts.length - shownChanges;
  return [
    ...texts.slice(0, shownChanges),
    ...(rest > 0 ? [{ text: reader.t('more-changes', { count: rest }) }] : []),
  ];
};

const line = (sign: DiffLine['sign'], shown: Shown | null): readonly DiffLine[] =>
  shown === null ? [] : [{ sign, ...shown }];

/** Before and after of one field, line by line. What had no value before is only stated. */
export const diffLines = (
  change: AuditChange,
  row: AuditRow,
  reader: Reader,
): readonly DiffLine[] => {
  const kind = kindOf(change, row);
  if (kind === 'json' || kind === 'list') return diffOf(change);
  const [before, after] = sidesOf(change, row, reader);
  if (before?.text.includes('\n') || after?.text.includes('\n')) return diffOf(change);
  return [
    ...line('-', before),
    ...line(change.before === null && before === null ? '' : '+', after),
  ];
};

/** Fields that were empty and still are need no heading. */
export const changesToShow = ({ changes }: AuditRow): readonly AuditChange[] =>
  changes.filter(({ before, after }) => !isAbsent(before) || !isAbsent(after));
