import { useIsFetching } from '@tanstack/react-query';
import { type ComponentType, lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { WhenNear } from '../components/when-near.tsx';
import type { ChartRow } from './rows.ts';

type ChartSeries = Readonly<{ name: string; colour: string }>;

export type TimeChartProps = Readonly<{
  /** For those who do not see the chart. */
  label: string;
  height: number;
  /** Oldest first; a value for each series. */
  rows: readonly ChartRow[];
  series: readonly ChartSeries[];
  /** Stacked bars in place of lines. */
  isStacked?: boolean;
  /** A value is valid until the next one. */
  isStep?: boolean;
  /** Seconds: moments that are further apart are not joined. */
  maxGap?: number;
  /** Of the axis; from zero where it is absent. */
  ticks?: readonly number[];
  tickText: (value: number) => string;
  /** Of a moment below the axis; absent: there is none. */
  labelOf?: (at: number) => string;
  /** Of a moment in the box that opens there. */
  titleOf: (at: number) => string;
  valueText: (value: number, at: number) => ReactNode;
  /** Name of the sum of all series. */
  totalName?: string;
}>;

export type SparklineProps = Readonly<{ values: readonly (number | null)[]; height: number }>;

export type DonutProps = Readonly<{
  label: string;
  height: number;
  slices: readonly Readonly<{ name: string; colour: string; value: number }>[];
  total: string;
  totalName: string;
  valueText: (value: number) => string;
}>;

const kit = () => import('./kit.tsx');

/** The chart library is the largest script of the console: the data of the page is fetched first. */
const useDataFirst = (): boolean => {
  const isFetching = useIsFetching() > 0;
  const [isReady, setReady] = useState(false);
  useEffect(() => {
    if (!isFetching) setReady(true);
  }, [isFetching]);
  return isReady;
};

/** Space is reserved until the chart is there. */
const late = <Props extends Readonly<{ label?: string; height: number }>>(
  load: () => Promise<ComponentType<Props>>,
) => {
  const Chart = lazy(async () => ({ default: await load() }));
  return (props: Props) => {
    const isReady = useDataFirst();
    const named =
      props.label === undefined
        ? { 'aria-hidden': true }
        : { role: 'img', 'aria-label': props.label };
    return (
      <div className="chart" style={{ height: props.height }} {...named}>
        {isReady && (
          <WhenNear height={props.height}>
            <Suspense fallback={null}>
              <Chart {...props} />
            </Suspense>
          </WhenNear>
        )}
      </div>
    );
  };
};

export const TimeChart = late(async () => (await kit()).TimeChart);
export const Donut = late(async () => (await kit()).Donut);
export const Sparkline = late(async () => (await kit()).Sparkline);
