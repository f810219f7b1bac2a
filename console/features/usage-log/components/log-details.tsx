import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { logTypes } from '../../../../projections/contract/codes.ts';
import { CopyTag } from '../../../shared/components/copy-tag.tsx';
import { Facts } from '../../../shared/components/facts.tsx';
import { PriceSteps } from '../../../shared/components/price-steps.tsx';
import { useIsAdmin } from '../../../shared/session.ts';
import { type LogRow, otherOf } from '../api/logs.ts';
import { longPrice, priceLines } from './price-text.ts';

/** Everything known of one entry, only what is present. */
export const LogDetails = ({ row }: Readonly<{ row: LogRow }>) => {
  const { t } = useTranslation('usage-log');
  const isAdmin = useIsAdmin();
  const other = otherOf(row);
  const isCharge = row.type === logTypes.consume;
  const steps = other.price_steps ?? [];
  const facts: readonly (readonly [string, ReactNode, boolean])[] = [
    [
      t('detail.channel'),
      `${row.channel} - ${row.channel_name}`,
      isAdmin && isCharge && row.channel > 0,
    ],
    [
      t('detail.request'),
      <CopyTag key="request" colour="grey" text={row.request_id} />,
      Boolean(row.request_id),
    ],
    [t('detail.cached'), other.cache_tokens, Boolean(other.cache_tokens)],
    [t('detail.created'), other.cache_creation_tokens, Boolean(other.cache_creation_tokens)],
    [t('detail.effort'), other.reasoning_effort, Boolean(other.reasoning_effort)],
    [
      t('detail.pictures'),
      t('detail.pictures-text', {
        count: other.image_count ?? 0,
        size: other.image_size ?? '',
        quality: other.image_quality ?? '',
      }),
      Boolean(other.image_count),
    ],
    [t('detail.price'), longPrice(other, t), isCharge && other.group_ratio !== undefined],
    [t('detail.asked'), row.model_name, Boolean(other.is_model_mapped)],
    [t('detail.real'), other.upstream_model_name, Boolean(other.is_model_mapped)],
    [t('detail.end'), other.end, Boolean(other.end)],
    [t('detail.usage-source'), t('detail.counted'), other.usage_source === 'counted'],
    [t('detail.usage-note'), other.usage_note, Boolean(other.usage_note)],
    [t('detail.status-code'), other.status_code, other.status_code !== undefined],
    [t('detail.error-code'), other.error_code, Boolean(other.error_code)],
    [t('detail.operator'), `#${other.operator_id}`, isAdmin && Boolean(other.operator_id)],
    [t('detail.content'), row.content, row.content !== ''],
  ];
  return (
    <div className="log-details">
      <Facts
        facts={facts.filter(([, , isPresent]) => isPresent).map(([name, value]) => [name, value])}
      />
      {isCharge && other.group_ratio !== undefined && (
        <section aria-label={t('detail.process')}>
          <h3>{t('detail.process')}</h3>
          {steps.length > 0 && <PriceSteps steps={steps} amount={row.quota} />}
          <ul className="price-lines">
            {priceLines(row, other, t).map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
          <p className="subtle">{t('detail.reference')}</p>
        </section>
      )}
    </div>
  );
};
