import { Spinner } from '@blueprintjs/core';
import type { TFunction } from 'i18next';
import type { Column } from '../../../shared/components/columns.ts';
import { CopyTag } from '../../../shared/components/copy-tag.tsx';
import { FullText } from '../../../shared/components/full-text.tsx';
import { layOut } from '../../../shared/components/lay-out.ts';
import { Moment } from '../../../shared/components/moment.tsx';
import { TimeSpent } from '../../../shared/components/time-spent.tsx';
import { ToneTag } from '../../../shared/components/tone-tag.tsx';
import { colourOfId } from '../../../shared/format/colour.ts';
import type { TaskRow } from '../api/tasks.ts';
import { actions, isAction, isPlatform, isStatus, platforms, statuses } from './labels.ts';

type Translate = TFunction<'task'>;
type Part = Readonly<{ row: TaskRow; t: Translate }>;

const Progress = ({ row: { progress, status }, t }: Part) => {
  const percent = Number.parseFloat(progress);
  if (!Number.isFinite(percent)) return <>{progress}</>;
  return (
    <span className="progress-cell" title={t('column.progress')}>
      <Spinner
        size={16}
        value={Math.min(1, Math.max(0, percent / 100))}
        intent={status === 'FAILURE' ? 'warning' : 'primary'}
        aria-label={t('column.progress')}
      />
      <span>{`${percent}%`}</span>
    </span>
  );
};

const Spent = ({ row, t }: Part) => {
  if (row.submit_time === 0 || row.finish_time === 0) return <>-</>;
  const seconds = row.finish_time - row.submit_time;
  return <TimeSpent seconds={seconds} text={t('seconds', { seconds: seconds.toFixed(1) })} />;
};

const Platform = ({ row: { platform }, t }: Part) =>
  isPlatform(platform) ? (
    <ToneTag colour={platforms[platform]}>{t(`platform.${platform}`)}</ToneTag>
  ) : (
    <ToneTag colour="grey">{t('unknown')}</ToneTag>
  );

const Action = ({ row: { action }, t }: Part) =>
  isAction(action) ? (
    <ToneTag colour={actions[action]}>{t(`action.${action}`)}</ToneTag>
  ) : (
    <ToneTag colour="grey">{t('unknown')}</ToneTag>
  );

const Status = ({ row: { status }, t }: Part) => {
  if (status === '') return <ToneTag colour="grey">{t('submitting')}</ToneTag>;
  return isStatus(status) ? (
    <ToneTag colour={statuses[status]}>{t(`status.${status}`)}</ToneTag>
  ) : (
    <ToneTag colour="grey">{t('unknown')}</ToneTag>
  );
};

/** Seconds of the requested video; null for other work. */
const lengthOf = ({ platform, properties }: TaskRow): number | null => {
  if (platform !== 'video' || typeof properties !== 'object' || properties === null) return null;
  const seconds = 'seconds' in properties ? properties.seconds : null;
  return typeof seconds === 'number' ? seconds : null;
};

const Length = ({ row, t }: Part) => {
  const seconds = lengthOf(row);
  return seconds === null ? null : t('seconds', { seconds });
};

const timeOf = (seconds: number) => (seconds === 0 ? '-' : <Moment at={seconds} />);

const columnsOf = (t: Translate, isAdmin: boolean): readonly Column<TaskRow>[] => [
  {
    key: 'submit_time',
    title: t('column.submit_time'),
    render: (row) => timeOf(row.submit_time),
  },
  {
    key: 'finish_time',
    title: t('column.finish_time'),
    render: (row) => timeOf(row.finish_time),
  },
  { key: 'progress', title: t('column.progress'), render: (row) => <Progress row={row} t={t} /> },
  { key: 'spent', title: t('column.spent'), render: (row) => <Spent row={row} t={t} /> },
  ...(isAdmin
    ? [
        {
          key: 'channel',
          title: t('column.channel'),
          render: ({ channel_id }: TaskRow) => (
            <CopyTag colour={colourOfId(channel_id)} text={String(channel_id)} />
          ),
        },
      ]
    : []),
  { key: 'platform', title: t('column.platform'), render: (row) => <Platform row={row} t={t} /> },
  { key: 'action', title: t('column.action'), render: (row) => <Action row={row} t={t} /> },
  { key: 'length', title: t('column.length'), render: (row) => <Length row={row} t={t} /> },
  {
    key: 'task_id',
    title: t('column.task_id'),
    render: (row) => (
      <FullText
        title={t('details')}
        text={JSON.stringify(row, null, 2)}
        label={row.task_id === '' ? t('none') : row.task_id}
        none={t('none')}
      />
    ),
  },
  { key: 'status', title: t('column.status'), render: (row) => <Status row={row} t={t} /> },
  {
    key: 'fail_reason',
    title: t('column.fail_reason'),
    render: (row) => (
      <FullText title={t('column.fail_reason')} text={row.fail_reason} none={t('none')} />
    ),
  },
];

export const taskColumns = (t: Translate, isAdmin: boolean): readonly Column<TaskRow>[] =>
  layOut(columnsOf(t, isAdmin), {
    // All of them fit next to the sidebar at 1280 pixels.
    submit_time: { width: 108, card: 'line' },
    finish_time: { width: 96 },
    progress: { width: 84, card: 'figure' },
    spent: { width: 98, card: 'line' },
    channel: { width: 80 },
    platform: { width: 82 },
    action: { width: 84, card: 'line' },
    length: { width: 70, card: 'line' },
    task_id: { card: 'title' },
    status: { width: 100, card: 'aside' },
    fail_reason: { width: 92 },
  });
