import { asExactCurrency, axisAmounts, distinctAmounts } from '../format/quota.ts';
import { formatSeconds } from '../format/time.ts';
import { useQuotaDisplay } from '../status.ts';
import { LineChart } from './line-chart.tsx';

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
  height?: number;
  /** Each point as far from the next, however little time is between them. */
  isEven?: boolean;
}>;

/** A balance over time; it holds from one movement to the next. */
export const BalanceLine = ({ label, name, points, height, isEven = false }: Props) => {
  const display = useQuotaDisplay();
  const ticks = ticksOf(points.map(({ balance }) => balance));
  const texts = axisAmounts(distinctAmounts(ticks, display));
  const line = points.map(({ at, balance: value }, nth) => ({ at: isEven ? nth : at, value }));
  const timeOf = (nth: number) => formatSeconds(points[nth]?.at ?? 0);
  return (
    <LineChart
      label={label}
      lines={[{ name, colour: 'var(--accent)', points: line }]}
      format={(value) => texts[ticks.indexOf(value)] ?? asExactCurrency(value, display)}
      ticks={ticks}
      isStep
      {...(height !== undefined && { height })}
      {...(isEven && { nameOf: timeOf })}
    />
  );
};
