import { useTranslation } from 'react-i18next';
import { TimeChart } from '../../../shared/charts/charts.tsx';
import { ticksFromZero } from '../../../shared/charts/rows.ts';
import { Amount } from '../../../shared/components/amount.tsx';
import { abbreviate, asCurrency, axisAmounts, decimalsFor } from '../../../shared/format/quota.ts';
import type { Series } from '../../../shared/format/series.ts';
import { useQuotaDisplay } from '../../../shared/status.ts';
import type { Bucket } from './series.ts';

type Props = Readonly<{ buckets: readonly Bucket[]; series: readonly Series[]; height: number }>;

const quotaOf = ({ quota }: Bucket, { members }: Series): number =>
  members.reduce((sum, model) => sum + (quota.get(model) ?? 0), 0);

/** Below a dollar, two decimals would label every line the same. */
const decimalsOf = (highest: number, quotaPerUnit: number) =>
  highest < quotaPerUnit
    ? (Math.max(4, decimalsFor(highest / 10, quotaPerUnit)) as 4 | 6)
    : (2 as const);

/** Consumption over time, one colour for each model. */
export const UsageBars = ({ buckets, series, height }: Props) => {
  const { t } = useTranslation('dashboard');
  const display = useQuotaDisplay();
  const rows = buckets.map((bucket) => ({
    at: bucket.at,
    values: series.map((one) => quotaOf(bucket, one)),
  }));
  const sums = rows.map(({ values }) => values.reduce((sum, units) => sum + units, 0));
  const highest = Math.max(0, ...sums);
  const ticks = ticksFromZero(highest, display.quotaPerUnit);
  const decimals = decimalsOf(highest, display.quotaPerUnit);
  const tickTexts = display.inCurrency
    ? axisAmounts(ticks.map((tick) => asCurrency(tick, display, decimals)))
    : ticks.map((tick) => abbreviate(tick));
  const labelOf = (at: number) => buckets.find((bucket) => bucket.at === at)?.label ?? '';
  return (
    <TimeChart
      label={t('consumption')}
      height={height}
      rows={rows}
      series={series}
      isStacked
      ticks={ticks}
      tickText={(tick) => tickTexts[ticks.indexOf(tick)] ?? ''}
      labelOf={labelOf}
      titleOf={labelOf}
      valueText={(units) => <Amount units={units} />}
      totalName={t('total')}
    />
  );
};
