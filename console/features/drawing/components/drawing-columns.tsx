import { ProgressBar } from '@blueprintjs/core';
import type { TFunction } from 'i18next';
import type { Column } from '../../../shared/components/columns.ts';
import { CopyTag } from '../../../shared/components/copy-tag.tsx';
import { FullText } from '../../../shared/components/full-text.tsx';
import { layOut } from '../../../shared/components/lay-out.ts';
import { Moment } from '../../../shared/components/moment.tsx';
import { TimeSpent } from '../../../shared/components/time-spent.tsx';
import { ToneTag } from '../../../shared/components/tone-tag.tsx';
import { colourOfId } from '../../../shared/format/colour.ts';
import type { DrawingRow } from '../api/drawings.ts';
import { ImageViewer } from './image-viewer.tsx';
import { actions, codes, isAction, isCode, isStatus, statuses } from './labels.ts';

type Translate = TFunction<'drawing'>;
type Part = Readonly<{ row: DrawingRow; t: Translate }>;

const Spent = ({ row, t }: Part) => {
  if (row.submit_time === 0 || row.finish_time === 0) return <>{t('not-available')}</>;
  const seconds = (row.finish_time - row.submit_time) / 1_000;
  return <TimeSpent seconds={seconds} text={t('seconds', { seconds: seconds.toFixed(1) })} />;
};

const Action = ({ row: { action }, t }: Part) =>
  isAction(action) ? (
    <ToneTag colour={actions[action]}>{t(`action.${action}`)}</ToneTag>
  ) : (
    <ToneTag colour="grey">{t('unknown')}</ToneTag>
  );

const SubmitResult = ({ row: { code }, t }: Part) =>
  isCode(code) ? (
    <ToneTag colour={codes[code]}>{t(`code.${code}`)}</ToneTag>
  ) : (
    <ToneTag colour="grey">{t('unknown')}</ToneTag>
  );

const Status = ({ row: { status }, t }: Part) =>
  isStatus(status) ? (
    <ToneTag colour={statuses[status]}>{t(`status.${status}`)}</ToneTag>
  ) : (
    <ToneTag colour="grey">{t('unknown')}</ToneTag>
  );

const Progress = ({ row: { progress, status }, t }: Part) => {
  const percent = Math.min(100, Math.max(0, Number.parseFloat(progress) || 0));
  return (
    <span className="progress-cell">
      <ProgressBar
        value={percent / 100}
        intent={status === 'FAILURE' ? 'warning' : 'primary'}
        animate={percent < 100}
        stripes={percent < 100}
        aria-label={t('column.progress')}
      />
      <span>{`${percent}%`}</span>
    </span>
  );
};

const timeOf = (ms: number) => (ms === 0 ? '' : <Moment at={Math.floor(ms / 1_000)} />);

const longText = (t: Translate, key: 'prompt' | 'prompt_en' | 'fail_reason') => ({
  key,
  title: t(`column.${key}`),
  render: (row: DrawingRow) => (
    <FullText title={t(`column.${key}`)} text={row[key]} none={t('none')} />
  ),
});

const columnsOf = (t: Translate, isAdmin: boolean): readonly Column<DrawingRow>[] => [
  {
    key: 'submit_time',
    title: t('column.submit_time'),
    render: (row) => timeOf(row.submit_time),
  },
  { key: 'spent', title: t('column.spent'), render: (row) => <Spent row={row} t={t} /> },
  ...(isAdmin
    ? [
        {
          key: 'channel',
          title: t('column.channel'),
          render: ({ channel_id }: DrawingRow) => (
            <CopyTag colour={colourOfId(channel_id)} text={String(channel_id)} />
          ),
        },
      ]
    : []),
  { key: 'action', title: t('column.action'), render: (row) => <Action row={row} t={t} /> },
  {
    key: 'mj_id',
    title: t('column.mj_id'),
    render: ({ mj_id }) => (
      <code className="short-code" title={mj_id}>
        {mj_id}
      </code>
    ),
  },
  { key: 'code', title: t('column.code'), render: (row) => <SubmitResult row={row} t={t} /> },
  { key: 'status', title: t('column.status'), render: (row) => <Status row={row} t={t} /> },
  { key: 'progress', title: t('column.progress'), render: (row) => <Progress row={row} t={t} /> },
  {
    key: 'image',
    title: t('column.image'),
    render: ({ image_url, mj_id }) => <ImageViewer url={image_url} name={mj_id} />,
  },
  longText(t, 'prompt'),
  longText(t, 'prompt_en'),
  longText(t, 'fail_reason'),
];

export const drawingColumns = (t: Translate, isAdmin: boolean): readonly Column<DrawingRow>[] =>
  layOut(columnsOf(t, isAdmin), {
    submit_time: { width: 106, card: 'line' },
    spent: { width: 74, card: 'line' },
    channel: { width: 76 },
    action: { width: 90, card: 'line' },
    mj_id: { width: 72 },
    code: { width: 98 },
    status: { width: 90, card: 'aside' },
    progress: { width: 97 },
    image: { width: 94, card: 'figure' },
    prompt: { width: 78, card: 'title' },
    prompt_en: { width: 72 },
    fail_reason: { width: 68 },
  });
