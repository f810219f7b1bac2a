import { useTranslation } from 'react-i18next';
import { logTypes } from '../../../../projections/contract/codes.ts';
import { type LogRow, otherOf } from '../api/logs.ts';

/** The channels that were tried, in order; all but the last one failed. For administrators. */
export const Attempts = ({ row }: Readonly<{ row: LogRow }>) => {
  const { t } = useTranslation('usage-log');
  const tried = otherOf(row).admin_info?.use_channel ?? [];
  if (tried.length === 0) return null;
  const isFailed = (at: number) => at < tried.length - 1 || row.type === logTypes.error;
  const steps = tried.map((channel, at) => ({ id: `${at} ${channel}`, channel, at }));
  return (
    <section aria-label={t('attempts')}>
      <h3>{t('attempts')}</h3>
      <ol className="attempts">
        {steps.map(({ id, channel, at }) => (
          <li key={id} className={isFailed(at) ? 'is-failed' : ''}>
            <strong>{t('attempt-channel', { channel })}</strong>
            {String(row.channel) === channel && row.channel_name && ` ${row.channel_name}`}
            <span className="subtle block">
              {isFailed(at) ? t('attempt-failed') : t('attempt-answered')}
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
};
