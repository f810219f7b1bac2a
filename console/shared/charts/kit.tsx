import type { ReactNode } from 'react';
import {
  Bar,
  CartesianGrid,
  Cell,
  ComposedChart,
  Line,
  LineChart,
  Pie,
  PieChart,
  Tooltip,
  XAxis,
  YAxis,
} from 'recharts';
import { useWidth } from '../hooks/use-width.ts';
import type { DonutProps, SparklineProps, TimeChartProps } from './charts.tsx';
import { ticksFromZero, withGaps } from './rows.ts';

/** Until the width is known. */
const defaultWidth = 600;
/** Pixels between two labels of the axis. */
const minTickGap = 48;
const maxBarWidth = 48;
const tick = { fill: 'var(--text-3)', fontSize: 11 };

type TipProps = Readonly<{
  title: string;
  lines: readonly Readonly<{ name: string; colour?: string | undefined; value: ReactNode }>[];
}>;

const Tip = ({ title, lines }: TipProps) => (
  <div className="chart-tip">
    <strong>{title}</strong>
    <dl>
      {lines.map(({ name, colour, value }) => (
        <div key={name}>
          <dt>
            {colour && <i style={{ background: colour }} />}
            {name}
          </dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  </div>
);

/** Values of a moment, the highest first; of several bars the total before them. */
const tipLinesOf = (props: TimeChartProps, at: number): TipProps['lines'] => {
  const { rows, series, isStacked = false, totalName, valueText } = props;
  const values = rows.find((row) => row.at === at)?.values ?? [];
  const lines = series
    .map(({ name, colour }, nth) => ({ name, colour, units: values[nth] ?? null }))
    .filter(({ units }) => units !== null && !(isStacked && units === 0))
    .map((line) => ({ ...line, units: line.units ?? 0 }))
    .sort((a, b) => b.units - a.units)
    .map(({ name, colour, units }) => ({
      name,
      colour: series.length > 1 || isStacked ? colour : undefined,
      value: valueText(units, at),
    }));
  if (totalName === undefined) return lines;
  const total = values.reduce<number>((sum, value) => sum + (value ?? 0), 0);
  return [{ name: totalName, value: valueText(total, at) }, ...lines];
};

const highestOf = ({ rows, isStacked }: TimeChartProps): number =>
  rows.reduce((highest, { values }) => {
    const sum = values.reduce<number>((total, value) => total + (value ?? 0), 0);
    return Math.max(highest, isStacked ? sum : Math.max(0, ...values.map((value) => value ?? 0)));
  }, 0);

/** Lines, steps or stacked bars over time. */
export const TimeChart = (props: TimeChartProps) => {
  const { rows, series, height, isStacked, isStep, maxGap, titleOf, labelOf, tickText } = props;
  const [measured, ref] = useWidth();
  const ticks = props.ticks ?? ticksFromZero(highestOf(props));
  const last = rows.length - 1;
  return (
    <div ref={ref}>
      <ComposedChart
        width={measured || defaultWidth}
        height={height}
        data={maxGap === undefined ? [...rows] : [...withGaps(rows, maxGap)]}
        margin={{ top: 8, right: 8, bottom: labelOf === undefined ? 8 : 0, left: 0 }}
        barCategoryGap="10%"
        accessibilityLayer={false}
      >
        <CartesianGrid vertical={false} stroke="var(--line)" />
        <XAxis
          dataKey="at"
          height={20}
          type={isStacked ? 'category' : 'number'}
          domain={['dataMin', 'dataMax']}
          hide={labelOf === undefined}
          {...(!isStacked && { ticks: rows.map(({ at }) => at) })}
          {...(labelOf && { tickFormatter: labelOf })}
          interval={isStacked ? 'equidistantPreserveStart' : 'preserveStartEnd'}
          {...{ minTickGap, tick }}
          axisLine={false}
          tickLine={false}
        />
        <YAxis
          width="auto"
          domain={[Math.min(...ticks), Math.max(...ticks)]}
          ticks={[...ticks]}
          interval={0}
          tickFormatter={tickText}
          tick={tick}
          axisLine={false}
          tickLine={false}
        />
        <Tooltip
          isAnimationActive={false}
          cursor={isStacked ? { fill: 'var(--sunken)' } : { stroke: 'var(--line-strong)' }}
          content={({ active, label }) =>
            active && (
              <Tip title={titleOf(Number(label))} lines={tipLinesOf(props, Number(label))} />
            )
          }
        />
        {series.map(({ name, colour }, nth) =>
          isStacked ? (
            <Bar
              key={name}
              stackId="all"
              dataKey={({ values }) => values[nth]}
              fill={colour}
              maxBarSize={maxBarWidth}
              isAnimationActive={false}
            />
          ) : (
            <Line
              key={name}
              type={isStep ? 'stepAfter' : 'linear'}
              dataKey={({ values }) => values[nth]}
              stroke={colour}
              strokeWidth={1.75}
              strokeLinecap="round"
              dot={last === 0}
              activeDot={false}
              isAnimationActive={false}
            />
          ),
        )}
      </ComposedChart>
    </div>
  );
};

/** Fewer values are no line. */
const minPoints = 2;
/** Room for the line at its highest and lowest point. */
const sparkMargin = { top: 2, right: 1, bottom: 2, left: 1 };

/** A figure over the range, from zero, without axes: the figure next to it has the value. */
export const Sparkline = ({ values, height }: SparklineProps) => {
  const [measured, ref] = useWidth();
  const isLine = values.filter((value) => value !== null).length >= minPoints;
  return (
    <div ref={ref}>
      <LineChart
        width={measured || defaultWidth}
        height={height}
        data={isLine ? values.map((value) => ({ value })) : []}
        margin={sparkMargin}
        accessibilityLayer={false}
      >
        <YAxis hide domain={[0, (highest: number) => highest || 1]} />
        <Line
          dataKey="value"
          type="linear"
          stroke="var(--accent)"
          strokeWidth={1.5}
          strokeLinecap="round"
          dot={false}
          isAnimationActive={false}
        />
      </LineChart>
    </div>
  );
};

/** Shares of a whole, which is written in the middle. */
export const Donut = ({ slices, height, total, totalName, valueText }: DonutProps) => {
  const [measured, ref] = useWidth();
  return (
    <div ref={ref} className="donut">
      <PieChart width={measured || defaultWidth} height={height} accessibilityLayer={false}>
        <Tooltip
          isAnimationActive={false}
          content={({ active, payload }) => {
            const slice = slices.find(({ name }) => name === payload?.[0]?.name);
            return active && slice ? (
              <div className="chart-tip">
                <strong>{slice.name}</strong>
                <p>{valueText(slice.value)}</p>
              </div>
            ) : null;
          }}
        />
        <Pie
          data={slices.map(({ name, value }) => ({ name, value }))}
          dataKey="value"
          nameKey="name"
          innerRadius="58%"
          outerRadius="94%"
          stroke="var(--surface)"
          strokeWidth={2}
          isAnimationActive={false}
        >
          {slices.map(({ name, colour }) => (
            <Cell key={name} fill={colour} />
          ))}
        </Pie>
      </PieChart>
      <p className="donut-total">
        <strong>{total}</strong>
        <span>{totalName}</span>
      </p>
    </div>
  );
};
