import type { TFunction } from 'i18next';
import type { ReactNode } from 'react';
import { useChannelType, useTypeLabel } from '../../../shared/channel-types.ts';
import type { Column } from '../../../shared/components/columns.ts';
import { GroupTags } from '../../../shared/components/group-tags.tsx';
import { layOut } from '../../../shared/components/lay-out.ts';
import { Money } from '../../../shared/components/money.tsx';
import { StatusDot } from '../../../shared/components/status-dot.tsx';
import type { TagColour } from '../../../shared/format/colour.ts';
import { formatSeconds } from '../../../shared/format/time.ts';
import { isRecord } from '../../../shared/local-values.ts';
import type { ChannelRow } from '../api/channels.ts';
import { BalanceCell } from './balance-cell.tsx';
import { ChannelActions } from './channel-actions.tsx';
import { type ChannelEntry, summaryOf } from './channel-entries.ts';
import { NumberCell } from './number-cell.tsx';
import { TagActions, TagName, TagNumber } from './tag-cells.tsx';

type Translate = TFunction<'channel'>;

const channelColumnKeys = [
  'id',
  'name',
  'type',
  'status',
  'models',
  'group',
  'priority',
  'weight',
  'response_time',
  'used',
  'balance',
] as const;
type ChannelColumnKey = (typeof channelColumnKeys)[number];

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
  if (channel.status === 1) return <StatusDot tone="good">{t('status.1')}</StatusDot>;
  if (channel.status === 2) return <StatusDot tone="idle">{t('status.2')}</StatusDot>;
  if (channel.status !== 3) return <StatusDot tone="idle">{t('status.unknown')}</StatusDot>;
  return (
    <StatusDot tone="warn" title={autoReason(channel, t)}>
      {t('status.3')}
    </StatusDot>
  );
};

const responseColour = (ms: number): TagColour => {
  if (ms <= 1000) return 'green';
  if (ms <= 3000) return 'lime';
  return ms <= 5000 ? 'yellow' : 'red';
};

const ResponseTime = ({ ms, t }: Readonly<{ ms: number; t: Translate }>) =>
  ms === 0 ? (
    <span className="muted">{t('untested')}</span>
  ) : (
    <span className={`type-mark tone-${responseColour(ms)}`}>
      {t('seconds', { seconds: (ms / 1000).toFixed(2) })}
    </span>
  );

const shownModels = 2;

/** The first models, and how many more there are; all of them on hover. */
const Models = ({ models }: Readonly<{ models: string }>) => {
  const names = models.split(',').filter((name) => name !== '');
  const rest = names.length - shownModels;
  return (
    <span title={names.join(', ')}>
      {names.slice(0, shownModels).join(', ')}
      {rest > 0 && <span className="muted"> +{rest}</span>}
    </span>
  );
};

const TypeTag = ({ type, t }: Readonly<{ type: number; t: Translate }>) => {
  const known = useChannelType(type);
  const labelOf = useTypeLabel();
  return (
    <span className={`type-mark tone-${known?.colour ?? 'grey'}`}>
      {known === undefined ? t('type-unknown') : labelOf(known)}
    </span>
  );
};

type Context = Readonly<{
  t: Translate;
  onNumber: (id: number, change: Readonly<{ priority: number } | { weight: number }>) => void;
  onTagToggle: (tag: string) => void;
  onTagEdit: (tag: string) => void;
}>;
type TagEntry = Extract<ChannelEntry, { kind: 'tag' }>;
type Renderers<Row> = Readonly<Record<ChannelColumnKey, (row: Row) => ReactNode>>;

const channelRenderers = ({ t, onNumber }: Context): Renderers<ChannelRow> => ({
  id: ({ id }) => id,
  name: ({ name, tag }) => (
    <>
      <strong>{name}</strong>
      {tag && (
        <>
          {' '}
          <span className="muted">{tag}</span>
        </>
      )}
    </>
  ),
  group: ({ group }) => <GroupTags groups={group} />,
  type: ({ type }) => <TypeTag type={type} t={t} />,
  status: (channel) => <Status channel={channel} t={t} />,
  response_time: ({ response_time }) => <ResponseTime ms={response_time} t={t} />,
  models: ({ models }) => <Models models={models} />,
  used: ({ used_quota }) => <Money units={used_quota} isShort />,
  balance: (channel) => <BalanceCell channel={channel} />,
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

const tagRenderers = ({ t, onTagToggle }: Context): Renderers<TagEntry> => ({
  id: () => '',
  name: ({ tag, isOpen }) => (
    <TagName tag={tag} isOpen={isOpen} onToggle={() => onTagToggle(tag)} />
  ),
  group: ({ channels }) => <GroupTags groups={summaryOf(channels).groups} />,
  type: ({ channels }) => (
    <span className="muted">
      {t('tag-type')} · {t('tag-count', { count: channels.length })}
    </span>
  ),
  status: ({ channels }) =>
    summaryOf(channels).isEnabled ? (
      <StatusDot tone="good">{t('status.1')}</StatusDot>
    ) : (
      <StatusDot tone="idle">{t('status.2')}</StatusDot>
    ),
  response_time: ({ channels }) => <ResponseTime ms={summaryOf(channels).responseMs} t={t} />,
  models: () => '',
  used: ({ channels }) => <Money units={summaryOf(channels).usedQuota} isShort />,
  balance: () => '',
  priority: ({ tag, channels }) => (
    <TagNumber tag={tag} name="priority" value={summaryOf(channels).priority} channels={channels} />
  ),
  weight: ({ tag, channels }) => (
    <TagNumber tag={tag} name="weight" value={summaryOf(channels).weight} channels={channels} />
  ),
});

const numbers: readonly ChannelColumnKey[] = ['response_time', 'used', 'balance'];
const places = {
  id: { width: 48 },
  name: { card: 'title' },
  type: { width: 154, card: 'line' },
  status: { width: 96, card: 'line' },
  models: { width: 170 },
  group: { width: 90 },
  priority: { width: 72 },
  weight: { width: 72 },
  response_time: { width: 86, card: 'line' },
  used: { width: 72, card: 'figure' },
  balance: { width: 80 },
  actions: { width: 124, card: 'aside' },
} as const;

/** Chosen by those who need them. */
export const hiddenColumns: readonly ChannelColumnKey[] = ['models', 'id'];

export const channelColumns = (context: Context): readonly Column<ChannelEntry>[] => {
  const ofChannel = channelRenderers(context);
  const ofTag = tagRenderers(context);
  const columns: readonly Column<ChannelEntry>[] = [
    ...channelColumnKeys.map((key) => ({
      key,
      title: context.t(`column.${key}`),
      isNumber: numbers.includes(key),
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
  return layOut(columns, places);
};
