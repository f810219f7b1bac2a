import type { TFunction } from 'i18next';
import type { ReactNode } from 'react';
import type { Column } from '../../../shared/components/data-table.tsx';
import { GroupTags } from '../../../shared/components/group-tags.tsx';
import { ToneTag } from '../../../shared/components/tone-tag.tsx';
import type { TagColour } from '../../../shared/format/colour.ts';
import { formatQuota, type QuotaDisplay } from '../../../shared/format/quota.ts';
import { formatSeconds } from '../../../shared/format/time.ts';
import { isRecord } from '../../../shared/local-values.ts';
import { useChannelType, useTypeLabel } from '../api/channel-types.ts';
import type { ChannelRow } from '../api/channels.ts';
import { BalanceCell } from './balance-cell.tsx';
import { ChannelActions } from './channel-actions.tsx';
import { type ChannelEntry, summaryOf } from './channel-entries.ts';
import { NumberCell } from './number-cell.tsx';
import { TagActions, TagName, TagNumber } from './tag-cells.tsx';

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

const TypeTag = ({ type, t }: Readonly<{ type: number; t: Translate }>) => {
  const known = useChannelType(type);
  const labelOf = useTypeLabel();
  return (
    <ToneTag colour={known?.colour ?? 'grey'}>
      {known === undefined ? t('type-unknown') : labelOf(known)}
    </ToneTag>
  );
};

type Context = Readonly<{
  t: Translate;
  display: QuotaDisplay;
  onNumber: (id: number, change: Readonly<{ priority: number } | { weight: number }>) => void;
  onTagToggle: (tag: string) => void;
  onTagEdit: (tag: string) => void;
}>;
type TagEntry = Extract<ChannelEntry, { kind: 'tag' }>;
type Renderers<Row> = Readonly<Record<ChannelColumnKey, (row: Row) => ReactNode>>;

const channelRenderers = ({ t, display, onNumber }: Context): Renderers<ChannelRow> => ({
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
  balance: (channel) => (
    <span className="tag-row">
      <ToneTag colour="grey">{formatQuota(channel.used_quota, display)}</ToneTag>
      <BalanceCell channel={channel} />
    </span>
  ),
  priority: ({ id, priority }) => (
    <NumberCell
      label={t('priority')}
      value={priority}
      min={-999}
      problem={t('priority-wrong')}
      onSave={(value) => onNumber(id, { priority: value })}
    />
  ),
  weight: ({ id, weight }) => (
    <NumberCell
      label={t('weight')}
      value={weight}
      min={0}
      problem={t('weight-wrong')}
      onSave={(value) => onNumber(id, { weight: value })}
    />
  ),
});

const tagRenderers = ({ t, display, onTagToggle }: Context): Renderers<TagEntry> => ({
  id: () => '',
  name: ({ tag, channels, isOpen }) => (
    <TagName tag={tag} count={channels.length} isOpen={isOpen} onToggle={() => onTagToggle(tag)} />
  ),
  group: ({ channels }) => <GroupTags groups={summaryOf(channels).groups} />,
  type: () => <ToneTag colour="light-blue">{t('tag-type')}</ToneTag>,
  status: ({ channels }) =>
    summaryOf(channels).isEnabled ? (
      <ToneTag colour="green">{t('status.1')}</ToneTag>
    ) : (
      <ToneTag colour="yellow">{t('status.2')}</ToneTag>
    ),
  response_time: ({ channels }) => <ResponseTime ms={summaryOf(channels).responseMs} t={t} />,
  balance: ({ channels }) => (
    <ToneTag colour="grey">{formatQuota(summaryOf(channels).usedQuota, display)}</ToneTag>
  ),
  priority: ({ tag, channels }) => (
    <TagNumber tag={tag} name="priority" value={summaryOf(channels).priority} channels={channels} />
  ),
  weight: ({ tag, channels }) => (
    <TagNumber tag={tag} name="weight" value={summaryOf(channels).weight} channels={channels} />
  ),
});

export const channelColumns = (
  context: Context,
  isShown: (key: ChannelColumnKey) => boolean,
): readonly Column<ChannelEntry>[] => {
  const ofChannel = channelRenderers(context);
  const ofTag = tagRenderers(context);
  return [
    ...channelColumnKeys.filter(isShown).map((key) => ({
      key,
      title: context.t(`column.${key}`),
      render: (entry: ChannelEntry) =>
        entry.kind === 'tag' ? ofTag[key](entry) : ofChannel[key](entry.channel),
    })),
    {
      key: 'actions',
      title: context.t('column.actions'),
      isWide: true,
      render: (entry) =>
        entry.kind === 'tag' ? (
          <TagActions tag={entry.tag} onEdit={() => context.onTagEdit(entry.tag)} />
        ) : (
          <ChannelActions channel={entry.channel} />
        ),
    },
  ];
};
