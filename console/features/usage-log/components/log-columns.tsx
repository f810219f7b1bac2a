import type { TFunction } from 'i18next';
import type { ReactNode } from 'react';
import { logTypes } from '../../../../projections/contract/codes.ts';
import type { CardPlace, Column, RowSentence } from '../../../shared/components/columns.ts';
import { CopyTag } from '../../../shared/components/copy-tag.tsx';
import { GroupTags } from '../../../shared/components/group-tags.tsx';
import { Moment } from '../../../shared/components/moment.tsx';
import { StatusDot } from '../../../shared/components/status-dot.tsx';
import {
  asCurrency,
  formatQuota,
  formatUnits,
  type QuotaDisplay,
} from '../../../shared/format/quota.ts';
import { type LogRow, otherOf } from '../api/logs.ts';
import { LogStatus } from './log-status.tsx';
import { shortPrice } from './price-text.ts';
import { Timing } from './timing.tsx';
import { UserButton } from './user-button.tsx';

type Translate = TFunction<'usage-log'>;
type Context = Readonly<{ t: Translate; display: QuotaDisplay }>;

const logColumnKeys = [
  'time',
  'username',
  'channel',
  'token',
  'group',
  'type',
  'model',
  'tokens',
  'prompt',
  'completion',
  'use_time',
  'retry',
  'details',
  'status',
  'cost',
] as const;
type LogColumnKey = (typeof logColumnKeys)[number];
const adminColumns: readonly LogColumnKey[] = ['channel', 'username', 'retry'];

/** Parts of other columns, and what the drawer shows; there for those who choose them. */
export const hiddenColumns: readonly LogColumnKey[] = [
  'group',
  'type',
  'prompt',
  'completion',
  'retry',
  'details',
];

/** The other types are no calls of a model. */
export const isCall = ({ type }: LogRow) => type === logTypes.consume || type === logTypes.error;

const Model = ({ row, t }: Readonly<{ row: LogRow; t: Translate }>) => {
  const other = otherOf(row);
  const mapping = t('mapped', { asked: row.model_name, real: other.upstream_model_name ?? '' });
  return (
    <>
      <CopyTag text={row.model_name} />
      {other.is_model_mapped && (
        <span className="muted" title={mapping}>
          {' '}
          {t('mapped-short')}
        </span>
      )}
    </>
  );
};

/** What was read from the cache of the provider, as a lighter part. */
const Tokens = ({ row, t }: Readonly<{ row: LogRow; t: Translate }>) => {
  const cached = otherOf(row).cache_tokens ?? 0;
  return (
    <>
      {formatUnits(row.prompt_tokens)}
      {cached > 0 && (
        <span
          className="muted"
          title={t('cached-part', { count: cached, tokens: formatUnits(cached) })}
        >
          {` (${formatUnits(cached)})`}
        </span>
      )}
      {' → '}
      {formatUnits(row.completion_tokens)}
    </>
  );
};

const triedOf = (row: LogRow): readonly string[] => otherOf(row).admin_info?.use_channel ?? [];

const Channel = ({ row }: Readonly<{ row: LogRow }>) => {
  const tried = triedOf(row);
  if (row.channel <= 0) return null;
  return <span title={row.channel_name}>{tried.length > 1 ? tried.join(' → ') : row.channel}</span>;
};

const movement = (amount: number, display: QuotaDisplay): string =>
  amount > 0 ? `+${formatQuota(amount, display, 6)}` : formatQuota(amount, display, 6);

const Cost = ({ row, display }: Readonly<{ row: LogRow; display: QuotaDisplay }>) => {
  const amount = otherOf(row).amount;
  if (!isCall(row) && amount === undefined) return null;
  const units = isCall(row) ? row.quota : (amount ?? 0);
  const exact = display.inCurrency ? formatUnits(units) : asCurrency(units, display, 6);
  return (
    <span className={isCall(row) ? 'cell-figure' : 'delta-plus'} title={exact}>
      {isCall(row) ? formatQuota(units, display, 6) : movement(units, display)}
    </span>
  );
};

const ofCalls =
  (render: (row: LogRow) => ReactNode) =>
  (row: LogRow): ReactNode =>
    isCall(row) ? render(row) : '';

const renderers = ({
  t,
  display,
}: Context): Readonly<Record<LogColumnKey, (row: LogRow) => ReactNode>> => ({
  time: (row) => <Moment at={row.created_at} />,
  username: (row) => <UserButton userId={row.user_id} username={row.username} />,
  channel: ofCalls((row) => <Channel row={row} />),
  token: ofCalls((row) => row.token_name && <CopyTag text={row.token_name} />),
  group: ofCalls((row) => row.group && <GroupTags groups={row.group} />),
  type: (row) => t(`type.${row.type}`),
  model: ofCalls((row) => row.model_name && <Model row={row} t={t} />),
  tokens: ofCalls((row) => <Tokens row={row} t={t} />),
  prompt: ofCalls((row) => formatUnits(row.prompt_tokens)),
  completion: ofCalls((row) =>
    row.completion_tokens > 0 ? formatUnits(row.completion_tokens) : '',
  ),
  use_time: ofCalls((row) => <Timing row={row} t={t} />),
  retry: ofCalls(
    (row) => triedOf(row).length > 0 && t('tried', { channels: triedOf(row).join(' → ') }),
  ),
  details: (row) => (row.type === logTypes.consume && shortPrice(otherOf(row), t)) || row.content,
  status: (row) =>
    isCall(row) ? (
      <LogStatus row={row} t={t} />
    ) : (
      <StatusDot tone="info">{t(`type.${row.type}`)}</StatusDot>
    ),
  cost: (row) => <Cost row={row} display={display} />,
});

const numbers: readonly LogColumnKey[] = ['tokens', 'prompt', 'completion', 'use_time', 'cost'];
/** Pixels; the model has what is left. */
const widths: Readonly<Partial<Record<LogColumnKey, number>>> = {
  time: 96,
  username: 100,
  channel: 76,
  token: 104,
  group: 110,
  type: 84,
  tokens: 136,
  prompt: 88,
  completion: 98,
  use_time: 108,
  retry: 140,
  details: 220,
  status: 104,
  cost: 120,
};
const places: Readonly<Partial<Record<LogColumnKey, CardPlace>>> = {
  model: 'title',
  cost: 'figure',
  time: 'line',
  username: 'line',
  token: 'line',
  status: 'aside',
};

/** An entry that is no call of a model describes what happened, in one sentence. */
export const logSentence = (t: Translate): RowSentence<LogRow> => ({
  keeps: ['time', 'username', 'type', 'status', 'cost'],
  render: (row) => (isCall(row) ? null : row.content || t(`type.${row.type}`)),
});

export const logColumns = (context: Context, isAdmin: boolean): readonly Column<LogRow>[] => {
  const render = renderers(context);
  return logColumnKeys
    .filter((key) => isAdmin || !adminColumns.includes(key))
    .map((key) => ({
      key,
      title: context.t(key === 'use_time' ? 'column.timing' : `column.${key}`),
      render: render[key],
      isNumber: numbers.includes(key),
      ...(widths[key] !== undefined && { width: widths[key] }),
      ...(places[key] && { card: places[key] }),
    }));
};
