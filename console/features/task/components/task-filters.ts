import type { TFunction } from 'i18next';
import type { FilterField } from '../../../shared/components/filter-form.tsx';
import { startOfToday } from '../../../shared/format/time.ts';
import type { TaskFilters } from '../api/tasks.ts';

/** From the beginning of today on, without an end. */
export const defaultTaskFilters = (): TaskFilters => ({
  channel_id: '',
  task_id: '',
  start_timestamp: String(startOfToday()),
  end_timestamp: '',
});

/** Channels are the business of administrators. */
export const taskFields = (
  t: TFunction<'task'>,
  isAdmin: boolean,
): readonly FilterField<keyof TaskFilters>[] => {
  const own: readonly FilterField<keyof TaskFilters>[] = [
    { name: 'task_id', label: t('filter.task_id'), kind: 'text' },
    { name: 'start_timestamp', label: t('filter.start_timestamp'), kind: 'time' },
    { name: 'end_timestamp', label: t('filter.end_timestamp'), kind: 'time' },
  ];
  if (!isAdmin) return own;
  return [{ name: 'channel_id', label: t('filter.channel_id'), kind: 'number' }, ...own];
};
