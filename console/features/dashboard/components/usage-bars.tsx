import { type PointerEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Amount } from '../../../shared/components/amount.tsx';
import { ticksFromZero } from '../../../shared/components/line-scale.ts';
import { abbreviate, asCurrency, axisAmounts, decimalsFor } from '../../../shared/format/quota.ts';
import type { Series } from '../../../shared/format/series.ts';
import { useWidth } from '../../../shared/hooks/use-width.ts';
import { useQuotaDisplay } from '../../../shared/status.ts';
import type { Bucket } from './series.ts';

type Props = Readonly<{ buckets: readonly Bucket[]; series: readonly Series[]; height: number }>;

const quotaOf = ({ quota }: Bucket, { members }: Series): number =>
  members.reduce((sum, model) => sum + (quota.get(model) ?? 0), 0);

/** Models of one bar: the total first, then the dearest; what cost nothing is left out. */
const BucketTip = ({ bucket, series }: Readonly<{ bucket: Bucket; series: readonly Series[] }>) => {
  const { t } = useTranslation('dashboard');
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
          <dd>
            <Amount units={total} />
          </dd>
        </div>
        {lines.map(({ name, colour, quota }) => (
          <div key={name}>
            <dt>
              <i style={{ background: colour }} />
              {name}
            </dt>
            <dd>
              <Amount units={quota} />
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
};

const margin = { top: 8, right: 8, bottom: 20, left: 76 };
const maxBarWidth = 48;
/** Part of its place that a bar takes. */
const barShare = 0.8;
/** Until the width is measured. */
const defaultWidth = 800;
/** Pixels between two labels. */
const labelSpace = 88;

type Part = Readonly<{ name: string; colour: string; from: number; to: number }>;

/** Parts of a bar, each upon the one before. */
const partsOf = (bucket: Bucket, series: readonly Series[]): readonly Part[] => {
  let sum = 0;
  return series.flatMap((one) => {
    const from = sum;
    sum += quotaOf(bucket, one);
    return sum === from ? [] : [{ name: one.name, colour: one.colour, from, to: sum }];
  });
};

/** Below a dollar, two decimals would name every line alike. */
const decimalsOf = (highest: number, quotaPerUnit: number) =>
  highest < quotaPerUnit
    ? (Math.max(4, decimalsFor(highest / 10, quotaPerUnit)) as 4 | 6)
    : (2 as const);

/**
 * Consumption over time, one colour for each model. Drawn here, as the chart library would be most
 * of what the dashboard has to load.
 */
export const UsageBars = ({ buckets, series, height }: Props) => {
  const display = useQuotaDisplay();
  const [measured, ref] = useWidth();
  const [shown, setShown] = useState<number | null>(null);
  const width = measured || defaultWidth;
  const highest = Math.max(
    0,
    ...buckets.map((bucket) => series.reduce((sum, one) => sum + quotaOf(bucket, one), 0)),
  );
  const ticks = ticksFromZero(highest, display.quotaPerUnit);
  const top = ticks.at(-1) ?? 1;
  const decimals = decimalsOf(highest, display.quotaPerUnit);
  const tickTexts = display.inCurrency
    ? axisAmounts(ticks.map((tick) => asCurrency(tick, display, decimals)))
    : ticks.map((tick) => abbreviate(tick));
  const inner = width - margin.left - margin.right;
  const place = inner / Math.max(1, buckets.length);
  const bar = Math.min(maxBarWidth, place * barShare);
  const middle = (at: number) => margin.left + (at + 0.5) * place;
  const y = (units: number) =>
    margin.top + (1 - units / top) * (height - margin.top - margin.bottom);
  const every = Math.max(1, Math.ceil(labelSpace / place));
  const follow = (event: PointerEvent<SVGSVGElement>) => {
    const { left } = event.currentTarget.getBoundingClientRect();
    const at = Math.floor((event.clientX - left - margin.left) / place);
    setShown(at >= 0 && at < buckets.length ? at : null);
  };
  const bucket = shown === null ? undefined : buckets[shown];
  const isLeft = shown !== null && middle(shown) > width / 2;
  return (
    <div ref={ref} className="line-chart">
      <svg
        aria-hidden
        width="100%"
        height={height}
        onPointerMove={follow}
        onPointerLeave={() => setShown(null)}
      >
        {bucket && shown !== null && (
          <rect
            className="bar-cursor"
            x={middle(shown) - place / 2}
            y={margin.top}
            width={place}
            height={height - margin.top - margin.bottom}
          />
        )}
        {ticks.map((tick, at) => (
          <g key={tick}>
            <line
              className="line-grid"
              x1={margin.left}
              x2={width - margin.right}
              y1={y(tick)}
              y2={y(tick)}
            />
            <text x={margin.left - 8} y={y(tick)} textAnchor="end" dominantBaseline="middle">
              {tickTexts[at]}
            </text>
          </g>
        ))}
        {buckets.map((one, at) => (
          <g key={one.label}>
            {partsOf(one, series).map(({ name, colour, from, to }) => (
              <rect
                key={name}
                x={middle(at) - bar / 2}
                y={y(to)}
                width={bar}
                height={y(from) - y(to)}
                fill={colour}
              />
            ))}
            {at % every === 0 && (
              <text x={middle(at)} y={height - 4} textAnchor="middle">
                {one.label}
              </text>
            )}
          </g>
        ))}
      </svg>
      {bucket && shown !== null && (
        <div className={isLeft ? 'line-tip is-left' : 'line-tip'} style={{ left: middle(shown) }}>
          <BucketTip bucket={bucket} series={series} />
        </div>
      )}
    </div>
  );
};
