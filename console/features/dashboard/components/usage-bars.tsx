import { useTranslation } from 'react-i18next';
import { Bar, BarChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import { formatQuota } from '../../../shared/format/quota.ts';
import type { Series } from '../../../shared/format/series.ts';
import { useQuotaDisplay } from '../../../shared/status.ts';
import { decimalsFor } from './change.ts';
import type { Bucket } from './series.ts';

type Props = Readonly<{ buckets: readonly Bucket[]; series: readonly Series[]; height: number }>;

const quotaOf = ({ quota }: Bucket, { members }: Series): number =>
  members.reduce((sum, model) => sum + (quota.get(model) ?? 0), 0);

/** Models of one bar: the total first, then the dearest; what cost nothing is left out. */
const BucketTip = ({ bucket, series }: Readonly<{ bucket: Bucket; series: readonly Series[] }>) => {
  const { t } = useTranslation('dashboard');
  const display = useQuotaDisplay();
  const lines = series
    .map((one) => ({ ...one, quota: quotaOf(bucket, one) }))
    .filter(({ quota }) => quota !== 0)
    .sort((a, b) => b.quota - a.quota);
  const total = lines.reduce((sum, { quota }) => sum + quota, 0);
  return (
    <div className="chart-tip">
      <strong>{bucket.label}</strong>
      <dl>
        <div>
          <dt>{t('total')}</dt>
          <dd>{formatQuota(total, display, 4)}</dd>
        </div>
        {lines.map(({ name, colour, quota }) => (
          <div key={name}>
            <dt>
              <i style={{ background: colour }} />
              {name}
            </dt>
            <dd>{formatQuota(quota, display, 4)}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
};

/** Consumption over time, one colour for each model. A file of its own: loaded late. */
export const UsageBars = ({ buckets, series, height }: Props) => {
  const display = useQuotaDisplay();
  const highest = Math.max(
    ...buckets.map((bucket) => series.reduce((sum, one) => sum + quotaOf(bucket, one), 0)),
  );
  // Below a dollar, two decimals would name every line alike.
  const isSmall = highest < display.quotaPerUnit;
  const decimals = isSmall ? Math.max(4, decimalsFor(highest / 10, display.quotaPerUnit)) : 2;
  const tick = { fontSize: 11, fill: 'var(--text-3)' };
  return (
    <ResponsiveContainer width="100%" height={height}>
      <BarChart data={[...buckets]} margin={{ top: 8, right: 8, bottom: 0, left: 0 }}>
        <CartesianGrid vertical={false} stroke="var(--line)" />
        <XAxis
          dataKey="label"
          tick={tick}
          tickLine={false}
          axisLine={false}
          interval="preserveStartEnd"
          minTickGap={16}
        />
        <YAxis
          width={72}
          tick={tick}
          tickLine={false}
          axisLine={false}
          tickFormatter={(value: number) => formatQuota(value, display, decimals)}
        />
        <Tooltip
          cursor={{ fill: 'var(--sunken)' }}
          content={({ active, payload }) => {
            const bucket = payload?.[0]?.payload as Bucket | undefined;
            return active && bucket ? <BucketTip bucket={bucket} series={series} /> : null;
          }}
        />
        {series.map((one) => (
          <Bar
            key={one.name}
            name={one.name}
            dataKey={(bucket: Bucket) => quotaOf(bucket, one)}
            stackId="quota"
            maxBarSize={48}
            fill={one.colour}
            isAnimationActive={false}
          />
        ))}
      </BarChart>
    </ResponsiveContainer>
  );
};
