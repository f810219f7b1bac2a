import type { TFunction } from 'i18next';
import { CopyTag } from '../../../shared/components/copy-tag.tsx';
import type { Column } from '../../../shared/components/data-table.tsx';
import { ToneTag } from '../../../shared/components/tone-tag.tsx';
import { colourOfName } from '../../../shared/format/colour.ts';
import { asCurrency, formatUnits, type QuotaDisplay } from '../../../shared/format/quota.ts';
import { formatSeconds } from '../../../shared/format/time.ts';
import type { LedgerEntry } from '../api/ledger.ts';
import { isActorKind, isGrantSource, ledgerKinds } from './ledger-kinds.ts';

type Translate = TFunction<'ledger'>;

/** Every unit with its sign; the currency beside it where the site shows one. */
const Delta = ({ delta, display }: Readonly<{ delta: number; display: QuotaDisplay }>) => (
  <span className={delta < 0 ? 'delta-minus' : 'delta-plus'}>
    {delta > 0 ? '+' : ''}
    {formatUnits(delta)}
    {display.inCurrency && <small className="subtle">{asCurrency(delta, display, 6)}</small>}
  </span>
);

/** What a user typed stands as it is; all else is the name of a cause. */
const causeText = ({ kind, reason_kind, reason }: LedgerEntry, t: Translate): string => {
  if (reason_kind === 'set-by-admin') {
    return reason ? t('adjusted-because', { reason }) : t('adjusted');
  }
  if (kind === 'QuotaAdjusted') return reason || t('adjusted');
  if (kind === 'CorrectionPosted') return reason;
  return isGrantSource(reason) ? t(`source.${reason}`) : reason;
};

const Cause = ({ entry, t }: Readonly<{ entry: LedgerEntry; t: Translate }>) => (
  <div className="cause">
    {entry.model_name && (
      <CopyTag colour={colourOfName(entry.model_name)} text={entry.model_name} />
    )}
    {causeText(entry, t) && <span>{causeText(entry, t)}</span>}
    {entry.token_name && (
      <span className="subtle">{t('by-token', { token: entry.token_name })}</span>
    )}
  </div>
);

export const actorText = (entry: LedgerEntry, t: Translate): string => {
  const kind = isActorKind(entry.actor.kind) ? t(`actor.${entry.actor.kind}`) : entry.actor.kind;
  return entry.actor.name ? `${entry.actor.name} (${kind})` : kind;
};

export const ledgerColumns = (
  t: Translate,
  display: QuotaDisplay,
): readonly Column<LedgerEntry>[] => [
  {
    key: 'at',
    title: t('column.at'),
    render: (entry) => <span className="nowrap">{formatSeconds(entry.at)}</span>,
  },
  {
    key: 'kind',
    title: t('column.kind'),
    render: (entry) => (
      <ToneTag colour={ledgerKinds[entry.kind] ?? 'grey'}>{t(`kind.${entry.kind}`)}</ToneTag>
    ),
  },
  {
    key: 'cause',
    title: t('column.cause'),
    render: (entry) => <Cause entry={entry} t={t} />,
  },
  { key: 'actor', title: t('column.actor'), render: (entry) => actorText(entry, t) },
  {
    key: 'delta',
    title: t('column.delta'),
    isNumber: true,
    render: (entry) => <Delta delta={entry.delta} display={display} />,
  },
  {
    key: 'balance',
    title: t('column.balance'),
    isNumber: true,
    render: (entry) => <strong>{formatUnits(entry.balance_after)}</strong>,
  },
];
