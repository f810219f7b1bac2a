import type { TFunction } from 'i18next';
import { exactAmount } from '../../../shared/format/amount-text.ts';
import { asExactCurrency, formatUnits, type QuotaDisplay } from '../../../shared/format/quota.ts';
import { formatDate, formatSeconds } from '../../../shared/format/time.ts';
import { isRecord } from '../../../shared/local-values.ts';
import type { AuditRow } from '../api/audit.ts';
import { fieldOf, type ValueKind, words } from './field-kinds.ts';

export type Translate = TFunction<['audit', 'setting', 'user', 'wallet', 'common']>;

/** What a text needs in addition to the entry itself. */
export type Reader = Readonly<{
  t: Translate;
  display: QuotaDisplay;
  /** Name of a type of channel; undefined while types are on their way. */
  typeName: (type: number) => string | undefined;
}>;

/** A value for people, and the exact one where that adds information. */
export type Shown = Readonly<{ text: string; title?: string }>;

type Writing = Reader & Readonly<{ row: AuditRow; field: string }>;

export const isAbsent = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === '' ||
  (Array.isArray(value) && value.length === 0);

export const wordText = (value: string, { t }: Pick<Reader, 't'>): string => {
  const known = words.find((word) => word === value);
  return known ? t(`word.${known}`) : value;
};

/** A setting by its name on the settings screen, and its key in the API and filters. */
export const settingName = (key: string, { t }: Pick<Reader, 't'>): string => {
  const whole = t(`setting:label.${key}` as 'setting:label.Notice', { defaultValue: '' });
  // The text in brackets explains the field of the form.
  const label = whole.replace(/\s*[（(].*[)）]$/, '');
  return label === '' ? key : t('setting-name', { label, key });
};

const listText = (values: readonly unknown[], { t }: Writing): string =>
  values.map((value) => readable(value)).join(t('list-separator'));

/** Members of JSON settings as a line: what an operator typed, without its brackets and quotes. */
export const readable = (value: unknown): string => {
  if (Array.isArray(value)) return value.map(readable).join(', ');
  if (!isRecord(value)) return String(value ?? '–');
  return Object.entries(value)
    .map(([key, member]) => `${key} ${readable(member)}`)
    .join(', ');
};

const moneyText = (amountMinor: number, currency: string, { t }: Writing): string => {
  const money = (amountMinor / 100).toFixed(2);
  return currency === 'CNY' ? t('wallet:yuan', { money }) : `${currency} ${money}`;
};

const minorText = (value: unknown, writing: Writing): string =>
  isRecord(value) ? moneyText(Number(value.amountMinor), String(value.currency), writing) : '';

const personText = (value: unknown, { row, t }: Writing): string => {
  const id = String(value);
  if (id === row.actor.id && row.actor.name !== '') return row.actor.name;
  const { subject } = row;
  const isSubject = subject.kind === 'user' || subject.kind === 'account';
  return isSubject && id === subject.id && subject.name !== '' ? subject.name : t('person', { id });
};

const unitsText = (value: unknown, { display, field, t }: Writing): Shown => {
  const units = Number(value);
  const amount = display.inCurrency ? asExactCurrency(units, display) : formatUnits(units);
  const sign = field === 'delta' && units > 0 ? '+' : '';
  return { text: sign + amount, title: t('common:exact-amount', exactAmount(units, display)) };
};

const timeText = (value: unknown): string =>
  typeof value === 'number' ? formatSeconds(value) : formatDate(new Date(String(value)));

const roleText = (value: unknown, { t }: Writing): string => {
  const known = ([1, 10, 100] as const).find((role) => role === value);
  return known ? t(`user:role.${known}`) : t('user:role.unknown');
};

const writers: Readonly<Record<ValueKind, (value: unknown, writing: Writing) => string | Shown>> = {
  text: (value) => readable(value),
  json: (value) => String(value),
  units: unitsText,
  money: minorText,
  dollars: (value) => `$${Number(value).toFixed(2)}`,
  payment: (value, writing) => (isRecord(value) ? minorText(value.paid, writing) : ''),
  time: timeText,
  switch: (value, { t }) => t(String(value) === 'true' ? 'on' : 'off'),
  word: (value, writing) => wordText(String(value), writing),
  role: roleText,
  person: personText,
  list: (value, writing) => listText(Array.isArray(value) ? value : [value], writing),
  setting: (value, writing) => settingName(String(value), writing),
  'channel-type': (value, { t, typeName }) =>
    typeName(Number(value)) ?? t('channel-type', { id: String(value) }),
};

/** Null: there is no value. */
export const shownValue = (
  value: unknown,
  writing: Writing & { kind: ValueKind },
): Shown | null => {
  const [, none] = fieldOf(writing.field);
  if (none && (value ?? null) === none.value) return { text: writing.t(`none.${none.text}`) };
  if (isAbsent(value)) return null;
  const shown = writers[writing.kind](value, writing);
  return typeof shown === 'string' ? { text: shown } : shown;
};
