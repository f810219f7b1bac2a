import { Callout } from '@blueprintjs/core';
import { Time } from '@blueprintjs/icons';
import { useTranslation } from 'react-i18next';
import { DataTable } from '../../../shared/components/data-table.tsx';
import { EmptyState } from '../../../shared/components/empty-state.tsx';
import { LoadFailed } from '../../../shared/components/load-failed.tsx';
import { Page } from '../../../shared/components/page.tsx';
import { useJobs } from '../api/jobs.ts';
import { jobColumns } from '../components/job-columns.tsx';
import { titleOf } from '../components/job-text.ts';
import { RunHistory } from '../components/run-history.tsx';

/** About as many as there are. */
const expectedRows = 12;

/** What the product does by itself, and how it went. */
export const Jobs = () => {
  const { t } = useTranslation('job');
  const jobs = useJobs();
  const { data } = jobs;
  return (
    <Page title={t('title')} lead={t('lead')}>
      {jobs.isError && data && (
        <Callout intent="warning" compact>
          {t('stale')}
        </Callout>
      )}
      <section className="panel">
        {jobs.isError && !data ? (
          <LoadFailed error={jobs.error} onRetry={() => void jobs.refetch()} />
        ) : (
          <DataTable
            label={t('title')}
            columns={jobColumns(t)}
            rows={data}
            rowKey={({ name }) => name}
            isBusy={false}
            expectedRows={expectedRows}
            detail={(job) => <RunHistory job={job} />}
            detailTitle={({ name }) => titleOf(name, t)}
            empty={
              <EmptyState icon={<Time size={36} />} title={t('empty')} hint={t('empty-hint')} />
            }
          />
        )}
      </section>
    </Page>
  );
};
