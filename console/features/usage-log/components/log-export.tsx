import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ExportMenu } from '../../../shared/components/export-button.tsx';
import { saveFile } from '../../../shared/download.ts';
import { formatQuota } from '../../../shared/format/quota.ts';
import { dateStamp } from '../../../shared/format/time.ts';
import { useQuotaDisplay } from '../../../shared/status.ts';
import { toast } from '../../../shared/toast.ts';
import { exportLogs, type LogFilters, type LogRow } from '../api/logs.ts';
import { toCsv } from './csv.ts';
import { isLogTypeText } from './log-filters.ts';

type Props = Readonly<{ filters: LogFilters; isAdmin: boolean; loaded: readonly LogRow[] }>;

const csvColumns = [
  'time',
  'channel',
  'username',
  'token',
  'group',
  'type',
  'model',
  'use_time',
  'prompt',
  'completion',
  'cost',
  'details',
] as const;

export const LogExport = ({ filters, isAdmin, loaded }: Props) => {
  const { t } = useTranslation('usage-log');
  const display = useQuotaDisplay();
  const save = (rows: readonly LogRow[]) => {
    const csv = toCsv(rows, {
      head: csvColumns.map((key) => t(`column.${key}`)),
      type: (type) => {
        const text = String(type);
        return isLogTypeText(text) ? t(`type.${text}`) : text;
      },
      cost: (quota) => formatQuota(quota, display, 6),
      isAdmin,
    });
    saveFile(`logs_${dateStamp()}.csv`, csv, 'text/csv;charset=utf-8');
    toast('success', t('export-done'));
  };
  const all = useMutation({
    mutationFn: () => exportLogs(filters, isAdmin, dateStamp()),
    onSuccess: () => toast('success', t('export-done')),
    onError: () => toast('error', t('export-failed')),
    meta: { isQuiet: true },
  });
  return (
    <ExportMenu
      isPending={all.isPending}
      choices={[
        [t('export-page'), () => save(loaded)],
        [t('export-all'), () => all.mutate()],
      ]}
    />
  );
};
