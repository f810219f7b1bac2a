import type { AuditRow } from '../api/audit.ts';
import { type Reader, settingName, type Translate, wordText } from './shown-value.ts';
import { eventTypes, subjectText, typeText } from './texts.ts';

const actorKinds = ['user', 'admin', 'system', 'relay', 'payment'] as const;

/** The name where one may be seen, else what kind of actor it was. */
export const actorName = ({ actor }: AuditRow, t: Translate): string => {
  if (actor.name) return actor.name;
  const kind = actorKinds.find((known) => known === actor.kind);
  return kind ? t(`who.${kind}`) : actor.kind;
};

export const subjectName = ({ subject: { kind, id, name } }: AuditRow, t: Translate): string => {
  if (kind === 'option') return settingName(id, { t });
  if (name) return name;
  return id === '' ? subjectText(kind, t) : `#${id}`;
};

/** Chinese sets a space between its own characters and a Latin word or a number. */
const spaced = (text: string): string =>
  text
    .replace(/(\p{Script=Han})([\p{Script=Latin}\d#])/gu, '$1 $2')
    .replace(/([\p{Script=Latin}\d])(\p{Script=Han})/gu, '$1 $2');

/** Acts that a person may do to their own account as well as to that of another. */
const ownActs = [
  'UserProfileChanged',
  'UserGroupChanged',
  'UserSettingsChanged',
  'UserDeleted',
  'PasswordChanged',
  'IdentityUnlinked',
  'SessionEnded',
  'SessionsEnded',
  'TotpRemoved',
  'PasskeyRemoved',
  'SecondFactorsRemoved',
  'QuotaAdjusted',
  'CorrectionPosted',
] as const;

const isOwn = ({ actor, subject: { kind, id } }: AuditRow): boolean =>
  (kind === 'user' || kind === 'account') && id !== '' && id === actor.id;

/** "root disabled the channel east"; an event of a newer server is shown by its type. */
export const sentenceOf = (row: AuditRow, t: Translate): string => {
  const actor = actorName(row, t);
  const subject = subjectName(row, t);
  const own = isOwn(row) ? ownActs.find((type) => type === row.type) : undefined;
  if (own) return spaced(t(`own.${own}`, { actor }));
  const known = eventTypes.find((type) => type === row.type);
  return known
    ? spaced(t(`sentence.${known}`, { actor, subject }))
    : `${actor} · ${typeText(row.type, t)} · ${subject}`;
};

/** Events whose reason is one of a few that the product itself gives. */
const coded: ReadonlySet<string> = new Set(['SessionEnded', 'TopUpExpired', 'RequestRefunded']);
const slow = /^response time (\d+) ms is above the limit of (\d+) ms$/;

/** In the words of the person who gave it; what the product gives as a reason is translated. */
export const reasonText = ({ type, reason }: AuditRow, reader: Pick<Reader, 't'>): string => {
  const { t } = reader;
  if (coded.has(type)) return wordText(reason, reader);
  if (type !== 'ChannelAutoDisabled') return reason;
  if (reason === 'insufficient balance') return t('because.balance');
  const [, took, limit] = slow.exec(reason) ?? [];
  if (took === undefined) return reason;
  return t('because.slow', { took: Number(took) / 1000, limit: Number(limit) / 1000 });
};
