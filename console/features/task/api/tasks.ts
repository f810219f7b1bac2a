import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { TaskRow } from '../../../../projections/contract/task.ts';
import { call } from '../../../shared/api/client.ts';

export type { TaskRow };

/** As typed; times in Unix seconds, "" for no bound. */
export type TaskFilters = Readonly<{
  channel_id: string;
  task_id: string;
  start_timestamp: string;
  end_timestamp: string;
}>;

/** Rows that the server sends at a time. */
export const taskPageSize = 10;

/** `page` counts from 1; the server from 0. */
export const useTasks = (filters: TaskFilters, page: number, isAdmin: boolean) =>
  useQuery({
    queryKey: ['task', 'list', { filters, page, isAdmin }],
    queryFn: () => {
      const { channel_id, ...own } = filters;
      const query = { p: page - 1, ...own };
      return isAdmin
        ? call('GET /api/task/', { query: { ...query, channel_id } })
        : call('GET /api/task/self', { query });
    },
    placeholderData: keepPreviousData,
  });
