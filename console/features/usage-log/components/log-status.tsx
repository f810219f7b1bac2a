import type { TFunction } from 'i18next';
import { logTypes } from '../../../../projections/contract/codes.ts';
import { StatusDot } from '../../../shared/components/status-dot.tsx';
import { type LogRow, otherOf } from '../api/logs.ts';

type Props = Readonly<{ row: LogRow; t: TFunction<'usage-log'> }>;

/** How a call ended. */
export const LogStatus = ({ row, t }: Props) => {
  const { end, status_code } = otherOf(row);
  if (row.type === logTypes.error) {
    return (
      <StatusDot tone="bad" title={row.content}>
        {t('type.5')}
        {status_code !== undefined && ` ${status_code}`}
      </StatusDot>
    );
  }
  if (end) {
    return (
      <StatusDot tone="warn" title={end}>
        {t('status.incomplete')}
      </StatusDot>
    );
  }
  return <StatusDot tone="good">{t('status.ok')}</StatusDot>;
};
