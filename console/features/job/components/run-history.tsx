import { HTMLTable } from '@blueprintjs/core';
import { useTranslation } from 'react-i18next';
import { ToneTag } from '../../../shared/components/tone-tag.tsx';
import { formatSeconds } from '../../../shared/format/time.ts';
import type { JobRow } from '../api/jobs.ts';
import { RunResult } from './job-columns.tsx';
import { durationText, outcomeColours } from './job-text.ts';

/** The last runs of one job, newest first. */
export const RunHistory = ({ job }: Readonly<{ job: JobRow }>) => {
  const { t } = useTranslation('job');
  if (job.runs.length === 0) return <p className="subtle">{t('no-runs')}</p>;
  return (
    <HTMLTable
      compact
      striped
      className="run-history"
      aria-label={t('history-of', { name: job.name })}
    >
      <thead>
        <tr>
          <th>{t('column.last')}</th>
          <th>{t('column.duration')}</th>
          <th>{t('column.state')}</th>
          <th>{t('column.cause')}</th>
          <th>{t('column.result')}</th>
        </tr>
      </thead>
      <tbody>
        {job.runs.map((run) => (
          <tr key={run.run_id}>
            <td>{formatSeconds(run.started_at)}</td>
            <td>{durationText(run, t)}</td>
            <td>
              <ToneTag colour={outcomeColours[run.outcome]}>{t(`state.${run.outcome}`)}</ToneTag>
            </td>
            <td>
              {run.asked_by === null ? t('cause.time') : t('cause.person', { id: run.asked_by })}
            </td>
            <td>
              <RunResult run={run} />
            </td>
          </tr>
        ))}
      </tbody>
    </HTMLTable>
  );
};
