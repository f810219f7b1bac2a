import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import type { LogOther, LogRow } from '../../../../projections/contract/log.ts';
import { call } from '../../../shared/api/client.ts';
import { download } from '../../../shared/download.ts';
import { isRecord } from '../../../shared/local-values.ts';

export type { LogOther, LogRow };

/** As part of the address; times in Unix seconds. */
export type LogFilters = Readonly<{
  type: string;
  username: string;
  token_name: string;
  model_name: string;
  start_timestamp: string;
  end_timestamp: string;
  channel: string;
  group: string;
}>;
export type LogPaging = Readonly<{ p: number; page_size: number }>;

/** Empty filters are not sent; those for administrators neither. */
const wireFilters = (filters: LogFilters, isAdmin: boolean) => {
  const { username, channel, ...own } = filters;
  const entries = Object.entries(isAdmin ? { ...own, username, channel } : own);
  return Object.fromEntries(entries.filter(([, value]) => value !== ''));
};

const logsQuery = (filters: LogFilters, paging: LogPaging, isAdmin: boolean) =>
  queryOptions({
    queryKey: ['usage-log', 'list', { ...filters, ...paging, isAdmin }],
    queryFn: () =>
      call(isAdmin ? 'GET /api/log/' : 'GET /api/log/self', {
        query: { ...paging, ...wireFilters(filters, isAdmin) },
      }),
    placeholderData: keepPreviousData,
  });

const logStatQuery = (filters: LogFilters, isAdmin: boolean) =>
  queryOptions({
    queryKey: ['usage-log', 'stat', { ...filters, isAdmin }],
    queryFn: () =>
      call(isAdmin ? 'GET /api/log/stat' : 'GET /api/log/self/stat', {
        query: wireFilters(filters, isAdmin),
      }),
    placeholderData: keepPreviousData,
  });

export const useLogs = (filters: LogFilters, paging: LogPaging, isAdmin: boolean) =>
  useQuery(logsQuery(filters, paging, isAdmin));
/** By the request id; null: there is none, or it is another user's. */
export const useFoundCall = (requestId: string, isAdmin: boolean) =>
  useQuery({
    queryKey: ['usage-log', 'call', requestId, isAdmin],
    enabled: requestId !== '',
    queryFn: async () => {
      const route = isAdmin ? 'GET /api/log/find' : 'GET /api/log/self/find';
      const rows = await call(route, { query: { request_id: requestId } });
      return rows.find(({ request_id }) => request_id === requestId) ?? null;
    },
  });
export const useLogStat = (filters: LogFilters, isAdmin: boolean) =>
  useQuery(logStatQuery(filters, isAdmin));

/** All entries under the filters, however many, as the server streams them. */
export const exportLogs = (filters: LogFilters, isAdmin: boolean, stamp: string): Promise<void> =>
  download(
    isAdmin ? '/api/log/export' : '/api/log/self/export',
    { format: 'csv', ...wireFilters(filters, isAdmin) },
    `logs_${stamp}.csv`,
  );

/** Unreadable details count as none. */
export const otherOf = (row: LogRow): LogOther => {
  try {
    const other: unknown = JSON.parse(row.other || '{}');
    return isRecord(other) ? (other as LogOther) : {};
  } catch {
    return {};
  }
};
