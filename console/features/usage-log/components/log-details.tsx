import type { TFunction } from 'i18next';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { logTypes } from '../../../../projections/contract/codes.ts';
import { CopyTag } from '../../../shared/components/copy-tag.tsx';
import { Facts } from '../../../shared/components/facts.tsx';
import { PriceSteps } from '../../../shared/components/price-steps.tsx';
import { asCurrency, formatUnits } from '../../../shared/format/quota.ts';
import { formatSeconds } from '../../../shared/format/time.ts';
import { ledgerOf, paths } from '../../../shared/paths.ts';
import { useIsAdmin } from '../../../shared/session.ts';
import { useQuotaDisplay } from '../../../shared/status.ts';
import { type LogOther, type LogRow, otherOf } from '../api/logs.ts';
import { Attempts } from './attempts.tsx';
import { LogStatus } from './log-status.tsx';
import { longPrice, priceLines } from './price-text.ts';
import { Timing } from './timing.tsx';

type Props = Readonly<{ row: LogRow; other: LogOther }>;
type OptionalFact = readonly [name: string, value: ReactNode, isPresent: boolean];

const Present = ({ facts }: Readonly<{ facts: readonly OptionalFact[] }>) => (
  <Facts
    facts={facts.filter(([, , isPresent]) => isPresent).map(([name, value]) => [name, value])}
  />
);

/** The price as a receipt: the total, then line by line. */
const Receipt = ({ row, other }: Props) => {
  const { t } = useTranslation('usage-log');
  const display = useQuotaDisplay();
  const steps = other.price_steps ?? [];
  return (
    <section aria-label={t('detail.process')} className="receipt">
      <p className="receipt-total">
        <strong>{asCurrency(row.quota, display, 6)}</strong>
        <span>{t('units', { count: row.quota, units: formatUnits(row.quota) })}</span>
      </p>
      <h3>{t('detail.process')}</h3>
      {steps.length > 0 && <PriceSteps steps={steps} amount={row.quota} />}
      <ul className="price-lines">
        {priceLines(row, other, t).map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      <p className="subtle">{t('detail.reference')}</p>
    </section>
  );
};

/** Seconds around an entry in which its ledger line lies. */
const around = 2;

const LedgerLink = ({ row }: Readonly<{ row: LogRow }>) => {
  const { t } = useTranslation('usage-log');
  const isAdmin = useIsAdmin();
  const range = new URLSearchParams({
    kind: 'RequestCharged',
    start_timestamp: String(row.created_at - around),
    end_timestamp: String(row.created_at + around),
  });
  const path = isAdmin ? ledgerOf(row.user_id) : paths.ledger;
  return <Link to={`${path}?${range}`}>{t('open-ledger')}</Link>;
};

const videoText = (
  { video_seconds: seconds = 0, video_size: size = '' }: Props['other'],
  t: TFunction<'usage-log'>,
): string => t('detail.video-text', { seconds, size });

const Request = ({ row, other }: Props) => {
  const { t } = useTranslation('usage-log');
  const isAdmin = useIsAdmin();
  const isCharge = row.type === logTypes.consume;
  const isCall = isCharge || row.type === logTypes.error;
  const pictures = t('detail.pictures-text', {
    count: other.image_count ?? 0,
    size: other.image_size ?? '',
    quality: other.image_quality ?? '',
  });
  const video = videoText(other, t);
  const price = longPrice(other, t);
  const isRepeated = isCharge && row.content.toLowerCase() === price.toLowerCase();
  const channel = `${row.channel} - ${row.channel_name}`;
  return (
    <Present
      facts={[
        [t('column.status'), <LogStatus key="status" row={row} t={t} />, isCall],
        [t('column.time'), formatSeconds(row.created_at), true],
        [t('column.username'), row.username, isAdmin],
        [t('column.token'), row.token_name, isCall && row.token_name !== ''],
        [t('column.group'), row.group, isCall && row.group !== ''],
        [t('column.use_time'), <Timing key="timing" row={row} t={t} />, isCall],
        [t('detail.channel'), channel, isAdmin && isCall && row.channel > 0],
        [
          t('detail.request'),
          <CopyTag key="request" colour="grey" text={row.request_id} />,
          row.request_id !== '',
        ],
        [t('detail.cached'), other.cache_tokens, Boolean(other.cache_tokens)],
        [t('detail.created'), other.cache_creation_tokens, Boolean(other.cache_creation_tokens)],
        [t('detail.effort'), other.reasoning_effort, Boolean(other.reasoning_effort)],
        [t('detail.pictures'), pictures, Boolean(other.image_count)],
        [t('detail.video'), video, Boolean(other.video_seconds)],
        [t('detail.price'), price, isCharge && other.group_ratio !== undefined],
        [t('detail.asked'), row.model_name, Boolean(other.is_model_mapped)],
        [t('detail.real'), other.upstream_model_name, Boolean(other.is_model_mapped)],
        [t('detail.end'), other.end, Boolean(other.end)],
        [t('detail.usage-source'), t('detail.counted'), other.usage_source === 'counted'],
        [t('detail.usage-note'), other.usage_note, Boolean(other.usage_note)],
        [t('detail.status-code'), other.status_code, other.status_code !== undefined],
        [t('detail.error-code'), other.error_code, Boolean(other.error_code)],
        [t('detail.operator'), `#${other.operator_id}`, isAdmin && Boolean(other.operator_id)],
        [t('detail.content'), row.content, row.content !== '' && !isRepeated],
      ]}
    />
  );
};

/** Every fact of one entry, only what is present. */
export const LogDetails = ({ row }: Readonly<{ row: LogRow }>) => {
  const isAdmin = useIsAdmin();
  const other = otherOf(row);
  const isCharge = row.type === logTypes.consume;
  return (
    <div className="log-details">
      {isCharge && other.group_ratio !== undefined && <Receipt row={row} other={other} />}
      <Request row={row} other={other} />
      {isAdmin && <Attempts row={row} />}
      {isCharge && <LedgerLink row={row} />}
    </div>
  );
};
