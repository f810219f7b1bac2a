import type { TFunction } from 'i18next';
import { CopyTag } from '../../../shared/components/copy-tag.tsx';
import type { Column } from '../../../shared/components/data-table.tsx';
import { Money } from '../../../shared/components/money.tsx';
import { ToneTag } from '../../../shared/components/tone-tag.tsx';
import { colourOfName } from '../../../shared/format/colour.ts';
import { formatSeconds } from '../../../shared/format/time.ts';
import type { LedgerEntry } from '../api/ledger.ts';
import { isActorKind, isGrantSource, ledgerKinds } from './ledger-kinds.ts';

type Translate = TFunction<'ledger'>;

/** Decimals of a movement: a call may cost less than a cent. */
const movementDecimals = 6;

const Delta = ({ delta }: Readonly<{ delta: number }>) => (
  <span className={delta < 0 ? 'delta-minus' : 'delta-plus'}>
    <Money units={delta} decimals={movementDecimals} isDelta />
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

export const ledgerColumns = (t: Translate): readonly Column<LedgerEntry>[] => [
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
    render: (entry) => <Delta delta={entry.delta} />,
  },
  {
    key: 'balance',
    title: t('column.balance'),
    isNumber: true,
    render: (entry) => (
      <strong>
        <Money units={entry.balance_after} decimals={movementDecimals} />
      </strong>
    ),
  },
];
