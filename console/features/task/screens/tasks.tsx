import { Music } from '@blueprintjs/icons';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../../shared/components/empty-state.tsx';
import { FilterForm } from '../../../shared/components/filter-form.tsx';
import { ListView } from '../../../shared/components/list-view.tsx';
import { Page } from '../../../shared/components/page.tsx';
import { addressPaging } from '../../../shared/hooks/use-paging.ts';
import { useUrlFilters } from '../../../shared/hooks/use-url-filters.ts';
import { useIsAdmin } from '../../../shared/session.ts';
import { taskPageSize, useTasks } from '../api/tasks.ts';
import { taskColumns } from '../components/task-columns.tsx';
import { defaultTaskFilters, taskFields } from '../components/task-filters.ts';

/** /task: the music that was asked for, and what became of it. */
export const Tasks = () => {
  const { t } = useTranslation('task');
  const isAdmin = useIsAdmin();
  const queryClient = useQueryClient();
  const [defaults] = useState(() => ({ ...defaultTaskFilters(), p: '1' }));
  const [{ p, ...filters }, change] = useUrlFilters(defaults);
  const paging = addressPaging(p, change, taskPageSize);
  const tasks = useTasks(filters, paging.page, isAdmin);
  return (
    <Page title={t('title')} lead={t('lead')}>
      <section className="panel">
        <FilterForm
          fields={taskFields(t, isAdmin)}
          filters={filters}
          onApply={(next) => {
            change({ ...next, p: '1' });
            void queryClient.invalidateQueries({ queryKey: ['task'] });
          }}
        />
        <ListView
          query={tasks}
          paging={paging}
          total={null}
          label={t('title')}
          columns={taskColumns(t, isAdmin)}
          rows={tasks.data}
          rowKey={({ id }) => id}
          empty={
            <EmptyState icon={<Music size={36} />} title={t('empty')} hint={t('empty-hint')} />
          }
        />
      </section>
    </Page>
  );
};
