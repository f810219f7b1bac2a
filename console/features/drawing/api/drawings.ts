import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { DrawingRow } from '../../../../projections/contract/task.ts';
import { call } from '../../../shared/api/client.ts';

export type { DrawingRow };

/** As typed; times in Unix seconds. */
export type DrawingFilters = Readonly<{
  channel_id: string;
  mj_id: string;
  start_timestamp: string;
  end_timestamp: string;
}>;

/** Rows that the server sends at a time. */
export const drawingPageSize = 10;

/** `page` counts from 1; the server from 0. */
export const useDrawings = (filters: DrawingFilters, page: number, isAdmin: boolean) =>
  useQuery({
    queryKey: ['drawing', 'list', { filters, page, isAdmin }],
    queryFn: () => {
      const { channel_id, ...own } = filters;
      const query = { p: page - 1, ...own };
      return isAdmin
        ? call('GET /api/mj/', { query: { ...query, channel_id } })
        : call('GET /api/mj/self', { query });
    },
    placeholderData: keepPreviousData,
  });
