import { useTranslation } from 'react-i18next';
import { Bar, BarChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import { formatQuota } from '../../../shared/format/quota.ts';
import { useQuotaDisplay } from '../../../shared/status.ts';
import { modelColour } from './model-colour.ts';
import type { Bucket } from './series.ts';

type Props = Readonly<{ buckets: readonly Bucket[]; models: readonly string[]; height: number }>;

/** Models of one bar: the total first, then the dearest; what cost nothing is left out. */
const BucketTip = ({ bucket, models }: Readonly<{ bucket: Bucket; models: readonly string[] }>) => {
  const { t } = useTranslation('dashboard');
  const display = useQuotaDisplay();
  const lines = models
    .map((model) => ({ model, quota: bucket.quota.get(model) ?? 0 }))
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
        {lines.map(({ model, quota }) => (
          <div key={model}>
            <dt>
              <i style={{ background: modelColour(model) }} />
              {model}
            </dt>
            <dd>{formatQuota(quota, display, 4)}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
};

/** Consumption over time, one colour for each model. A file of its own: loaded late. */
export const UsageBars = ({ buckets, models, height }: Props) => {
  const display = useQuotaDisplay();
  const highest = Math.max(
    ...buckets.map(({ quota }) => models.reduce((sum, model) => sum + (quota.get(model) ?? 0), 0)),
  );
  // Below a dollar, two decimals would name every line alike.
  const decimals = highest < display.quotaPerUnit ? 4 : 2;
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
          width={64}
          tick={tick}
          tickLine={false}
          axisLine={false}
          tickFormatter={(value: number) => formatQuota(value, display, decimals)}
        />
        <Tooltip
          cursor={{ fill: 'var(--sunken)' }}
          content={({ active, payload }) => {
            const bucket = payload?.[0]?.payload as Bucket | undefined;
            return active && bucket ? <BucketTip bucket={bucket} models={models} /> : null;
          }}
        />
        {models.map((model) => (
          <Bar
            key={model}
            name={model}
            dataKey={({ quota }: Bucket) => quota.get(model) ?? 0}
            stackId="quota"
            maxBarSize={48}
            fill={modelColour(model)}
            isAnimationActive={false}
          />
        ))}
      </BarChart>
    </ResponsiveContainer>
  );
};
