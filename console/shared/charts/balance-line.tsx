import { asExactCurrency, axisAmounts, distinctAmounts } from '../format/quota.ts';
import { formatSeconds } from '../format/time.ts';
import { useQuotaDisplay } from '../status.ts';
import { TimeChart } from './charts.tsx';
import { timeLabels } from './time-labels.ts';

type Point = Readonly<{ at: number; balance: number }>;

/** Lowest, middle and highest balance, with texts that differ. */
const ticksOf = (balances: readonly number[]): readonly number[] => {
  const low = Math.min(...balances);
  const high = Math.max(...balances);
  return [...new Set([low, Math.round((low + high) / 2), high])];
};

type Props = Readonly<{
  label: string;
  name: string;
  points: readonly Point[];
  height: number;
  /** Each point as far from the next, however little time is between them. */
  isEven?: boolean;
}>;

/** A balance over time, oldest on the left; it is valid from one movement to the next. */
export const BalanceLine = ({ label, name, points, height, isEven = false }: Props) => {
  const display = useQuotaDisplay();
  const ticks = ticksOf(points.map(({ balance }) => balance));
  const texts = axisAmounts(distinctAmounts(ticks, display));
  const amountOf = (value: number) =>
    texts[ticks.indexOf(value)] ?? asExactCurrency(value, display);
  return (
    <TimeChart
      label={label}
      height={height}
      rows={points.map(({ at, balance }, nth) => ({ at: isEven ? nth : at, values: [balance] }))}
      series={[{ name, colour: 'var(--accent)' }]}
      isStep
      ticks={ticks}
      tickText={amountOf}
      valueText={amountOf}
      titleOf={(at) => formatSeconds(isEven ? (points[at]?.at ?? 0) : at)}
      {...(!isEven && { labelOf: timeLabels(points) })}
    />
  );
};
