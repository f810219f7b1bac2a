import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import type { PublicStatus } from '../../projections/contract/status.ts';
import { call } from './api/client.ts';
import type { QuotaDisplay } from './format/quota.ts';
import { readLocal, removeLocal, statusCopies, writeLocal } from './local-values.ts';

export type { PublicStatus };

const textOf = (value: unknown): string => (value === undefined ? '' : String(value));

/** The copies serve other tabs and the next start; the user's own sidebar choice wins. */
const keepCopies = (status: PublicStatus): void => {
  const fields: Readonly<Record<string, unknown>> = status;
  writeLocal('status', JSON.stringify(status));
  for (const key of statusCopies) writeLocal(key, textOf(fields[key]));
  writeLocal('chats', JSON.stringify(status.chats ?? []));
  for (const key of ['chat_link', 'chat_link2'] as const) {
    if (fields[key]) writeLocal(key, textOf(fields[key]));
    else removeLocal(key);
  }
  if (readLocal('default_collapse_sidebar') === null) {
    writeLocal('default_collapse_sidebar', textOf(status.default_collapse_sidebar));
  }
};

export const statusQuery = queryOptions({
  queryKey: ['site', 'status'],
  queryFn: async () => {
    const status = await call('GET /api/status');
    keepCopies(status);
    return status;
  },
  staleTime: Number.POSITIVE_INFINITY,
});

export const useStatus = (): PublicStatus => useSuspenseQuery(statusQuery).data;

export const useQuotaDisplay = (): QuotaDisplay => {
  const status = useStatus();
  return { quotaPerUnit: status.quota_per_unit, inCurrency: status.display_in_currency };
};

export const defaultSystemName = 'Tollgate';
export const defaultLogo = '/logo.svg';
