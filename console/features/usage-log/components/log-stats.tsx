import { Spinner } from '@blueprintjs/core';
import { useTranslation } from 'react-i18next';
import { ToneTag } from '../../../shared/components/tone-tag.tsx';
import { formatQuota, formatUnits } from '../../../shared/format/quota.ts';
import { useQuotaDisplay } from '../../../shared/status.ts';
import { type LogFilters, useLogStat } from '../api/logs.ts';

export const LogStats = ({
  filters,
  isAdmin,
}: Readonly<{ filters: LogFilters; isAdmin: boolean }>) => {
  const { t } = useTranslation('usage-log');
  const display = useQuotaDisplay();
  const { data } = useLogStat(filters, isAdmin);
  if (!data) {
    return (
      <div className="log-stats is-waiting">
        <Spinner size={18} aria-label={t('stat.loading')} />
      </div>
    );
  }
  return (
    <div className="tag-row log-stats">
      <ToneTag colour="blue">
        {t('stat.quota', { quota: formatQuota(data.quota, display) })}
      </ToneTag>
      <ToneTag colour="pink">{t('stat.rpm', { rpm: formatUnits(data.rpm) })}</ToneTag>
      <ToneTag colour="grey">{t('stat.tpm', { tpm: formatUnits(data.tpm) })}</ToneTag>
    </div>
  );
};
