import { Music } from '@blueprintjs/icons';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { DataTable } from '../../../shared/components/data-table.tsx';
import { EmptyState } from '../../../shared/components/empty-state.tsx';
import { LoadFailed } from '../../../shared/components/load-failed.tsx';
import { Page } from '../../../shared/components/page.tsx';
import { Pager } from '../../../shared/components/pager.tsx';
import { useUrlFilters } from '../../../shared/hooks/use-url-filters.ts';
import { useIsAdmin } from '../../../shared/session.ts';
import { taskPageSize, useTasks } from '../api/tasks.ts';
import { taskColumns } from '../components/task-columns.tsx';
import { defaultTaskFilters, TaskFilterBar } from '../components/task-filters.tsx';

/** /task: the music that was asked for, and what became of it. */
export const Tasks = () => {
  const { t } = useTranslation(['task', 'common']);
  const isAdmin = useIsAdmin();
  const queryClient = useQueryClient();
  const [defaults] = useState(() => ({ ...defaultTaskFilters(), p: '1' }));
  const [{ p, ...filters }, change] = useUrlFilters(defaults);
  const page = Math.max(1, Number(p) || 1);
  const tasks = useTasks(filters, page, isAdmin);
  const rows = tasks.data;
  return (
    <Page title={t('title')} lead={t('lead')}>
      <section className="panel">
        <TaskFilterBar
          key={JSON.stringify(filters)}
          filters={filters}
          isAdmin={isAdmin}
          onApply={(next) => {
            change({ ...next, p: '1' });
            void queryClient.invalidateQueries({ queryKey: ['task'] });
          }}
        />
        {tasks.isError && !rows ? (
          <LoadFailed error={tasks.error} onRetry={() => void tasks.refetch()} />
        ) : (
          <DataTable
            label={t('title')}
            columns={taskColumns(t, isAdmin)}
            rows={rows}
            rowKey={({ id }) => id}
            isBusy={tasks.isFetching && !tasks.isPending}
            empty={
              <EmptyState icon={<Music size={36} />} title={t('empty')} hint={t('empty-hint')} />
            }
          />
        )}
        {rows && (rows.length > 0 || page > 1) && (
          <Pager
            page={page}
            pageSize={taskPageSize}
            shown={rows.length}
            total={null}
            onPage={(next) => change({ p: String(next) })}
          />
        )}
      </section>
    </Page>
  );
};
