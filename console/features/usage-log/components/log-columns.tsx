import type { TFunction } from 'i18next';
import type { ReactNode } from 'react';
import { logTypes } from '../../../../projections/contract/codes.ts';
import { CopyTag } from '../../../shared/components/copy-tag.tsx';
import type { Column } from '../../../shared/components/data-table.tsx';
import { GroupTags } from '../../../shared/components/group-tags.tsx';
import { ToneTag } from '../../../shared/components/tone-tag.tsx';
import { colourOfId, colourOfName, type TagColour } from '../../../shared/format/colour.ts';
import { formatQuota, formatUnits, type QuotaDisplay } from '../../../shared/format/quota.ts';
import { formatSeconds } from '../../../shared/format/time.ts';
import { type LogRow, otherOf } from '../api/logs.ts';
import { shortPrice } from './price-text.ts';
import { UserButton } from './user-button.tsx';

type Translate = TFunction<'usage-log'>;
type Context = Readonly<{ t: Translate; display: QuotaDisplay }>;

export const logColumnKeys = [
  'time',
  'channel',
  'username',
  'token',
  'group',
  'type',
  'model',
  'use_time',
  'prompt',
  'completion',
  'cost',
  'retry',
  'details',
] as const;
export type LogColumnKey = (typeof logColumnKeys)[number];
export const adminColumns: readonly LogColumnKey[] = ['channel', 'username', 'retry'];

const typeColours = {
  [logTypes.topUp]: 'cyan',
  [logTypes.consume]: 'lime',
  [logTypes.manage]: 'orange',
  [logTypes.system]: 'purple',
  [logTypes.error]: 'red',
} as const satisfies Readonly<Record<LogRow['type'], TagColour>>;

/** The other types are no calls of a model. */
const isCall = ({ type }: LogRow) => type === logTypes.consume || type === logTypes.error;

const durationColour = (seconds: number): TagColour => {
  if (seconds < 101) return 'green';
  return seconds < 300 ? 'orange' : 'red';
};
const firstTokenColour = (seconds: number): TagColour => {
  if (seconds < 3) return 'green';
  return seconds < 10 ? 'orange' : 'red';
};

const Timing = ({ row, t }: Readonly<{ row: LogRow; t: Translate }>) => {
  const firstToken = (otherOf(row).frt ?? -1) / 1000;
  return (
    <span className="tag-row is-one-line">
      <ToneTag colour={durationColour(row.use_time)}>
        {t('seconds', { seconds: row.use_time })}
      </ToneTag>
      {row.is_stream && firstToken >= 0 && (
        <ToneTag colour={firstTokenColour(firstToken)}>
          {t('seconds', { seconds: firstToken.toFixed(1) })}
        </ToneTag>
      )}
      <ToneTag colour={row.is_stream ? 'blue' : 'purple'}>
        {row.is_stream ? t('stream') : t('no-stream')}
      </ToneTag>
    </span>
  );
};

const Model = ({ row, t }: Readonly<{ row: LogRow; t: Translate }>) => {
  const other = otherOf(row);
  return (
    <span className="tag-row">
      <CopyTag colour={colourOfName(row.model_name)} text={row.model_name} />
      {other.is_model_mapped && (
        <ToneTag
          colour="grey"
          title={t('mapped', { asked: row.model_name, real: other.upstream_model_name ?? '' })}
        >
          {t('mapped-short')}
        </ToneTag>
      )}
    </span>
  );
};

const Retry = ({ row, t }: Readonly<{ row: LogRow; t: Translate }>) => {
  const tried = otherOf(row).admin_info?.use_channel ?? [];
  return tried.length > 0 ? (
    <span className="nowrap">{t('tried', { channels: tried.join(' → ') })}</span>
  ) : null;
};

const renderers = ({
  t,
  display,
}: Context): Readonly<Record<LogColumnKey, (row: LogRow) => ReactNode>> => ({
  time: (row) => <span className="nowrap">{formatSeconds(row.created_at)}</span>,
  channel: (row) =>
    isCall(row) && row.channel > 0 ? (
      <ToneTag colour={colourOfId(row.channel)} title={row.channel_name}>
        {row.channel}
      </ToneTag>
    ) : (
      ''
    ),
  username: (row) => <UserButton userId={row.user_id} username={row.username} />,
  token: (row) =>
    isCall(row) && row.token_name ? <CopyTag colour="grey" text={row.token_name} /> : '',
  group: (row) => (isCall(row) && row.group ? <GroupTags groups={row.group} /> : ''),
  type: (row) => (
    <ToneTag colour={typeColours[row.type] ?? 'grey'}>{t(`type.${row.type}`)}</ToneTag>
  ),
  model: (row) => (isCall(row) && row.model_name ? <Model row={row} t={t} /> : ''),
  use_time: (row) => (isCall(row) ? <Timing row={row} t={t} /> : ''),
  prompt: (row) => (isCall(row) ? formatUnits(row.prompt_tokens) : ''),
  completion: (row) =>
    isCall(row) && row.completion_tokens > 0 ? formatUnits(row.completion_tokens) : '',
  cost: (row) => (isCall(row) ? formatQuota(row.quota, display, 6) : ''),
  retry: (row) => <Retry row={row} t={t} />,
  details: (row) => {
    const text = (row.type === logTypes.consume && shortPrice(otherOf(row), t)) || row.content;
    return (
      <span className="two-lines" title={row.content || text}>
        {text}
      </span>
    );
  },
});

const numbers: readonly LogColumnKey[] = ['prompt', 'completion', 'cost'];

export const logColumns = (
  context: Context,
  isShown: (key: LogColumnKey) => boolean,
): readonly Column<LogRow>[] => {
  const render = renderers(context);
  return logColumnKeys.filter(isShown).map((key) => ({
    key,
    title: context.t(`column.${key}`),
    render: render[key],
    isNumber: numbers.includes(key),
  }));
};
