import type { TFunction } from 'i18next';
import type { ReactNode } from 'react';
import type { Column } from '../../../shared/components/data-table.tsx';
import { GroupTags } from '../../../shared/components/group-tags.tsx';
import { ToneTag } from '../../../shared/components/tone-tag.tsx';
import type { TagColour } from '../../../shared/format/colour.ts';
import { formatQuota, type QuotaDisplay } from '../../../shared/format/quota.ts';
import { formatSeconds } from '../../../shared/format/time.ts';
import { isRecord } from '../../../shared/local-values.ts';
import type { ChannelRow } from '../api/channels.ts';
import { ChannelActions } from './channel-actions.tsx';
import { channelTypeOf } from './channel-types.ts';
import { NumberCell } from './number-cell.tsx';

type Translate = TFunction<'channel'>;

export const channelColumnKeys = [
  'id',
  'name',
  'group',
  'type',
  'status',
  'response_time',
  'balance',
  'priority',
  'weight',
] as const;
export type ChannelColumnKey = (typeof channelColumnKeys)[number];

/** Why and when a channel was switched off by itself. */
const autoReason = (channel: ChannelRow, t: Translate): string => {
  try {
    const info: unknown = JSON.parse(channel.other_info || '{}');
    if (!isRecord(info)) return '';
    const time = Number(info.status_time ?? 0);
    return t('auto-reason', {
      reason: String(info.status_reason ?? ''),
      time: time > 0 ? formatSeconds(time) : '',
    });
  } catch {
    return '';
  }
};

const Status = ({ channel, t }: Readonly<{ channel: ChannelRow; t: Translate }>) => {
  if (channel.status === 1) return <ToneTag colour="green">{t('status.1')}</ToneTag>;
  if (channel.status === 2) return <ToneTag colour="yellow">{t('status.2')}</ToneTag>;
  if (channel.status !== 3) return <ToneTag colour="grey">{t('status.unknown')}</ToneTag>;
  return (
    <ToneTag colour="yellow" title={autoReason(channel, t)}>
      {t('status.3')}
    </ToneTag>
  );
};

const responseColour = (ms: number): TagColour => {
  if (ms <= 1000) return 'green';
  if (ms <= 3000) return 'lime';
  return ms <= 5000 ? 'yellow' : 'red';
};

const ResponseTime = ({ ms, t }: Readonly<{ ms: number; t: Translate }>) =>
  ms === 0 ? (
    <ToneTag colour="grey">{t('untested')}</ToneTag>
  ) : (
    <ToneTag colour={responseColour(ms)}>
      {t('seconds', { seconds: (ms / 1000).toFixed(2) })}
    </ToneTag>
  );

/** Provider money, not ours: from 100 000 on only the first and last digits of the whole part. */
export const providerBalance = (balance: number): string => {
  const [whole = '0', cents = '00'] = balance.toFixed(2).split('.');
  return balance >= 100_000
    ? `$${whole.slice(0, 2)}..${whole.slice(-2)}.${cents}`
    : `$${whole}.${cents}`;
};

const TypeTag = ({ type, t }: Readonly<{ type: number; t: Translate }>) => {
  const known = channelTypeOf(type);
  return <ToneTag colour={known?.colour ?? 'grey'}>{known?.label ?? t('type-unknown')}</ToneTag>;
};

type Context = Readonly<{
  t: Translate;
  display: QuotaDisplay;
  onNumber: (id: number, change: Readonly<{ priority: number } | { weight: number }>) => void;
}>;

const renderers = ({
  t,
  display,
  onNumber,
}: Context): Readonly<Record<ChannelColumnKey, (channel: ChannelRow) => ReactNode>> => ({
  id: ({ id }) => id,
  name: ({ name, tag }) => (
    <span>
      <strong>{name}</strong>
      {tag && <small className="subtle block">{tag}</small>}
    </span>
  ),
  group: ({ group }) => <GroupTags groups={group} />,
  type: ({ type }) => <TypeTag type={type} t={t} />,
  status: (channel) => <Status channel={channel} t={t} />,
  response_time: ({ response_time }) => <ResponseTime ms={response_time} t={t} />,
  balance: ({ used_quota, balance }) => (
    <span className="tag-row">
      <ToneTag colour="grey">{formatQuota(used_quota, display)}</ToneTag>
      <ToneTag colour="teal">{providerBalance(balance)}</ToneTag>
    </span>
  ),
  priority: ({ id, priority }) => (
    <NumberCell
      label={t('priority')}
      value={priority}
      min={-999}
      onSave={(value) => onNumber(id, { priority: value })}
    />
  ),
  weight: ({ id, weight }) => (
    <NumberCell
      label={t('weight')}
      value={weight}
      min={0}
      onSave={(value) => onNumber(id, { weight: value })}
    />
  ),
});

export const channelColumns = (
  context: Context,
  isShown: (key: ChannelColumnKey) => boolean,
): readonly Column<ChannelRow>[] => {
  const render = renderers(context);
  return [
    ...channelColumnKeys.filter(isShown).map((key) => ({
      key,
      title: context.t(`column.${key}`),
      render: render[key],
    })),
    {
      key: 'actions',
      title: context.t('column.actions'),
      isWide: true,
      render: (channel) => <ChannelActions channel={channel} />,
    },
  ];
};
