import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { AuditChange, AuditRow } from '../../../../projections/contract/audit.ts';
import { call } from '../../../shared/api/client.ts';
import { download } from '../../../shared/download.ts';

export type { AuditChange, AuditRow };

/** As in the address; times in Unix seconds, empty for open. */
export type AuditFilters = Readonly<{
  actor: string;
  subject_kind: string;
  subject_id: string;
  type: string;
  start_timestamp: string;
  end_timestamp: string;
}>;
export type AuditView = Readonly<{
  filters: AuditFilters;
  page: number;
  pageSize: number;
  /** Others see what was done to them and by them. */
  isAdmin: boolean;
}>;

const filled = (filters: AuditFilters): Record<string, string> =>
  Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== ''));

export const useAudit = ({ filters, page, pageSize, isAdmin }: AuditView) =>
  useQuery({
    queryKey: ['audit', isAdmin, { ...filters, page, pageSize }],
    queryFn: () =>
      call(isAdmin ? 'GET /api/audit' : 'GET /api/audit/self', {
        query: { ...filled(filters), p: page, page_size: pageSize },
      }),
    placeholderData: keepPreviousData,
  });

export const exportAudit = (filters: AuditFilters, format: 'csv' | 'json', stamp: string) =>
  download('/api/audit/export', { ...filled(filters), format }, `audit_${stamp}.${format}`);
