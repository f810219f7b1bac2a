import type { TFunction } from 'i18next';
import type { AuditChange, AuditRow } from '../api/audit.ts';
import { diffOf } from './diff.ts';
import { eventTypes, subjectText, typeText } from './texts.ts';

type Translate = TFunction<'audit'>;

const actorKinds = ['user', 'admin', 'system', 'relay', 'payment'] as const;

/** Fields that have a name in both languages; others are named in the details only. */
const fieldNames = [
  'name',
  'status',
  'group',
  'groups',
  'quota',
  'delta',
  'amount',
  'priority',
  'weight',
  'tag',
  'models',
  'baseUrl',
  'role',
  'value',
  'displayName',
  'username',
  'email',
  'provider',
  'method',
  'dollars',
  'payable',
  'paid',
  'bonusQuota',
  'redeemedBy',
  'expiresAt',
  'unlimited',
  'key',
  'code',
  'type',
  'modelLimits',
  'allowIps',
  'because',
  'source',
  'providerReference',
  'reference',
  'requestId',
  'corrects',
] as const;

/** The name where one may be seen, else what kind of actor it was. */
export const actorName = ({ actor }: AuditRow, t: Translate): string => {
  if (actor.name) return actor.name;
  const kind = actorKinds.find((known) => known === actor.kind);
  return kind ? t(`who.${kind}`) : actor.kind;
};

export const subjectName = ({ subject: { kind, id, name } }: AuditRow, t: Translate): string => {
  if (name) return name;
  if (kind === 'option') return id;
  return id === '' ? subjectText(kind, t) : `#${id}`;
};

export const fieldText = (field: string, t: Translate): string => {
  const known = fieldNames.find((name) => name === field);
  return known ? t(`field.${known}`) : field;
};

/** "root disabled the channel east"; an event of a newer server is shown by its type. */
export const sentenceOf = (row: AuditRow, t: Translate): string => {
  const actor = actorName(row, t);
  const subject = subjectName(row, t);
  const known = eventTypes.find((type) => type === row.type);
  return known
    ? t(`sentence.${known}`, { actor, subject })
    : `${actor} · ${typeText(row.type, t)} · ${subject}`;
};

const shownChanges = 2;
const maxValueLength = 40;

const isShort = (value: unknown): value is string | number | boolean =>
  ['string', 'number', 'boolean'].includes(typeof value) && String(value).length <= maxValueLength;
const isAbsent = (value: unknown) => value === null || value === undefined || value === '';

const changeText = (change: AuditChange, t: Translate): string | null => {
  const { before, after } = change;
  const field = fieldText(change.field, t);
  if (isShort(before) && isShort(after) && before !== '') {
    return t('from-to', {
      field,
      before: String(before),
      after: after === '' ? '–' : String(after),
    });
  }
  if (isAbsent(before) && isAbsent(after)) return null;
  if (isAbsent(before) && isShort(after)) return t('set-to', { field, after: String(after) });
  const count = diffOf(change).length;
  return count === 0 ? null : t('entries-changed', { field, count });
};

const isNamed = ({ field }: AuditChange, { subject }: AuditRow): boolean =>
  subject.kind === 'option' || fieldNames.some((name) => name === field);

/** What changed, in short: the first fields that have a name, and how many more there are. */
export const changesText = (row: AuditRow, t: Translate): string => {
  const named = row.changes.filter((change) => isNamed(change, row));
  const texts = named.map((change) => changeText(change, t)).filter((text) => text !== null);
  const rest = row.changes.length - Math.min(texts.length, shownChanges);
  return [
    ...texts.slice(0, shownChanges),
    ...(texts.length > 0 && rest > 0 ? [t('more-changes', { count: rest })] : []),
  ].join(', ');
};
