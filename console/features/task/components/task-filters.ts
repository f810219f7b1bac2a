import type { TFunction } from 'i18next';
import type { FilterField } from '../../../shared/components/filter-chip.tsx';
import type { TaskFilters } from '../api/tasks.ts';

/** What does not narrow the list; the times are those of the range that is chosen. */
export const noTaskFilters: TaskFilters = {
  channel_id: '',
  task_id: '',
  start_timestamp: '',
  end_timestamp: '',
};

type Field = FilterField<'channel_id' | 'task_id'>;

/** Channels are the business of administrators. */
export const taskFields = (t: TFunction<'task'>, isAdmin: boolean): readonly Field[] => {
  const own: readonly Field[] = [{ name: 'task_id', label: t('filter.task_id'), kind: 'text' }];
  if (!isAdmin) return own;
  return [{ name: 'channel_id', label: t('filter.channel_id'), kind: 'number' }, ...own];
};
