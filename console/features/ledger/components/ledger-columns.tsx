import type { TFunction } from 'i18next';
import type { Column } from '../../../shared/components/columns.ts';
import { CopyTag } from '../../../shared/components/copy-tag.tsx';
import { formatSeconds } from '../../../shared/format/time.ts';
import { isGrantSource } from '../../../shared/grant-sources.ts';
import type { LedgerEntry } from '../api/ledger.ts';
import { LedgerAmount } from './ledger-amount.tsx';
import { isActorKind } from './ledger-kinds.ts';

type Translate = TFunction<'ledger'>;

/** A user's text is shown unchanged; all else is the name of a cause. */
export const causeText = ({ kind, reason_kind, reason }: LedgerEntry, t: Translate): string => {
  if (reason_kind === 'set-by-admin') {
    return reason ? t('adjusted-because', { reason }) : t('adjusted');
  }
  if (kind === 'QuotaAdjusted') return reason || t('adjusted');
  if (kind === 'CorrectionPosted') return reason;
  return isGrantSource(reason) ? t(`source.${reason}`) : reason;
};

/** What happened, in one line: the movement, what it was for, and by which key. */
const Description = ({ entry, t }: Readonly<{ entry: LedgerEntry; t: Translate }>) => {
  const cause = causeText(entry, t);
  return (
    <>
      <strong>{t(`kind.${entry.kind}`)}</strong>
      {entry.model_name && (
        <>
          {' · '}
          <CopyTag text={entry.model_name} />
        </>
      )}
      {cause && (
        <>
          {' · '}
          <span>{cause}</span>
        </>
      )}
      {entry.token_name && (
        <span className="muted"> · {t('by-token', { token: entry.token_name })}</span>
      )}
    </>
  );
};

export const actorText = (entry: LedgerEntry, t: Translate): string => {
  const kind = isActorKind(entry.actor.kind) ? t(`actor.${entry.actor.kind}`) : entry.actor.kind;
  return entry.actor.name ? `${entry.actor.name} (${kind})` : kind;
};

/** Movements and balances add up, so that they are written alike and none is rounded. */
const statement = {
  isExact: true,
  amounts: ({ delta, balance_after }: LedgerEntry) => [delta, balance_after],
} as const;

/** A statement: credits and debits in separate columns. */
export const ledgerColumns = (t: Translate): readonly Column<LedgerEntry>[] => [
  {
    key: 'at',
    title: t('column.at'),
    width: 170,
    card: 'line',
    render: (entry) => formatSeconds(entry.at),
  },
  {
    key: 'description',
    title: t('column.description'),
    card: 'title',
    render: (entry) => <Description entry={entry} t={t} />,
  },
  {
    key: 'actor',
    title: t('column.actor'),
    width: 160,
    render: (entry) => actorText(entry, t),
  },
  {
    key: 'in',
    title: t('column.in'),
    width: 132,
    isNumber: true,
    card: 'figure',
    ...statement,
    render: ({ delta }, places) =>
      delta > 0 && <LedgerAmount units={delta} places={places} isDelta />,
  },
  {
    key: 'out',
    title: t('column.out'),
    width: 132,
    isNumber: true,
    card: 'figure',
    ...statement,
    render: ({ delta }, places) =>
      delta < 0 && <LedgerAmount units={delta} places={places} isDelta />,
  },
  {
    key: 'balance',
    title: t('column.balance'),
    width: 140,
    isNumber: true,
    card: 'aside',
    ...statement,
    render: (entry, places) => <LedgerAmount units={entry.balance_after} places={places} />,
  },
];

/** In the drawer of a row, and for those who choose them. */
export const hiddenColumns = ['actor'] as const;
