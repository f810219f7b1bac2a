import { Music } from '@blueprintjs/icons';
import { useTranslation } from 'react-i18next';
import { useColumnChoice } from '../../../shared/components/column-dialog.tsx';
import { EmptyState } from '../../../shared/components/empty-state.tsx';
import { ListToolbar } from '../../../shared/components/list-toolbar.tsx';
import { ListView } from '../../../shared/components/list-view.tsx';
import { Page } from '../../../shared/components/page.tsx';
import { TimeRangePicker } from '../../../shared/components/time-range-picker.tsx';
import { addressPaging } from '../../../shared/hooks/use-paging.ts';
import { useRangedFilters } from '../../../shared/hooks/use-time-range.ts';
import { useIsAdmin } from '../../../shared/session.ts';
import { taskPageSize, useTasks } from '../api/tasks.ts';
import { taskColumns } from '../components/task-columns.tsx';
import { noTaskFilters, taskFields } from '../components/task-filters.ts';

const none = { ...noTaskFilters, p: '1' };
/** From the beginning of today on. */
const defaultRange = 'today';

/** /task: the requested music, and its result. */
export const Tasks = () => {
  const { t } = useTranslation('task');
  const isAdmin = useIsAdmin();
  const { values, change, range } = useRangedFilters(none, defaultRange);
  const { p, range: _, ...filters } = values;
  const paging = addressPaging(p, change, taskPageSize);
  const tasks = useTasks(filters, paging.page, isAdmin);
  const choice = useColumnChoice('tasks-table-columns', taskColumns(t, isAdmin));
  return (
    <Page title={t('title')} lead={t('lead')}>
      <section className="panel">
        <ListToolbar
          fields={taskFields(t, isAdmin)}
          filters={filters}
          none={noTaskFilters}
          onApply={change}
          range={<TimeRangePicker {...range} hasAll />}
          end={choice.button}
        />
        <ListView
          query={tasks}
          paging={paging}
          total={null}
          label={t('title')}
          columns={choice.columns}
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
