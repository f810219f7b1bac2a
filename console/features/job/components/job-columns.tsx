import { Button } from '@blueprintjs/core';
import { Play } from '@blueprintjs/icons';
import { useTranslation } from 'react-i18next';
import type { Column } from '../../../shared/components/columns.ts';
import { ToneTag } from '../../../shared/components/tone-tag.tsx';
import { formatSeconds } from '../../../shared/format/time.ts';
import { toast } from '../../../shared/toast.ts';
import { type JobRow, type RunRow, useRunJob } from '../api/jobs.ts';
import {
  durationText,
  figuresText,
  outcomeColours,
  scheduleOf,
  type Translate,
  titleOf,
} from './job-text.ts';

const State = ({ row: { running, runs } }: Readonly<{ row: JobRow }>) => {
  const { t } = useTranslation('job');
  const [last] = runs;
  if (running) return <ToneTag colour="blue">{t('state.running')}</ToneTag>;
  if (!last) return <ToneTag colour="grey">{t('state.never')}</ToneTag>;
  return <ToneTag colour={outcomeColours[last.outcome]}>{t(`state.${last.outcome}`)}</ToneTag>;
};

export const RunResult = ({ run }: Readonly<{ run: RunRow }>) => {
  const { t } = useTranslation('job');
  if (run.error !== '') return <span className="error-text">{run.error}</span>;
  return <span>{run.outcome === 'done' ? figuresText(run, t) : '–'}</span>;
};

const RunNow = ({ row }: Readonly<{ row: JobRow }>) => {
  const { t } = useTranslation('job');
  const run = useRunJob();
  return (
    <Button
      variant="minimal"
      size="small"
      icon={<Play />}
      text={t('run')}
      loading={run.isPending}
      disabled={row.running !== null}
      onClick={() => run.mutate(row.name, { onSuccess: () => toast('success', t('run-started')) })}
    />
  );
};

/** Left out of the card of a phone. */
const noValue = <span className="no-value">–</span>;

const startedAt = ({ running, runs }: JobRow): number => (running ?? runs[0])?.started_at ?? 0;

export const jobColumns = (t: Translate): readonly Column<JobRow>[] => [
  {
    key: 'name',
    title: t('column.name'),
    card: 'title',
    render: (row) => (
      <span>
        {titleOf(row.name, t)}
        <small className="subtle block">
          <code>{row.name}</code> · {scheduleOf(row, t)}
        </small>
      </span>
    ),
  },
  {
    key: 'state',
    title: t('column.state'),
    card: 'figure',
    render: (row) => <State row={row} />,
  },
  {
    key: 'last',
    title: t('column.last'),
    card: 'line',
    render: (row) => (startedAt(row) === 0 ? noValue : formatSeconds(startedAt(row))),
  },
  {
    key: 'duration',
    title: t('column.duration'),
    isNumber: true,
    render: ({ runs: [last] }) => (last ? durationText(last, t) : '–'),
  },
  {
    key: 'result',
    title: t('column.result'),
    card: 'line',
    render: ({ runs: [last] }) => (last ? <RunResult run={last} /> : noValue),
  },
  {
    key: 'next',
    title: t('column.next'),
    render: ({ next_at }) => (next_at === null ? '–' : formatSeconds(next_at)),
  },
  {
    key: 'actions',
    title: t('column.actions'),
    isWide: true,
    card: 'aside',
    render: (row) => <RunNow row={row} />,
  },
];
