import { asExactCurrency, distinctAmounts } from '../format/quota.ts';
import { useQuotaDisplay } from '../status.ts';
import { LineChart } from './line-chart.tsx';

type Point = Readonly<{ at: number; balance: number }>;

/** Lowest, middle and highest balance, with texts that differ. */
const ticksOf = (balances: readonly number[]): readonly number[] => {
  const low = Math.min(...balances);
  const high = Math.max(...balances);
  return [...new Set([low, Math.round((low + high) / 2), high])];
};

type Props = Readonly<{ label: string; name: string; points: readonly Point[]; height?: number }>;

/** A balance over time; it holds from one movement to the next. */
export const BalanceLine = ({ label, name, points, height }: Props) => {
  const display = useQuotaDisplay();
  const ticks = ticksOf(points.map(({ balance }) => balance));
  const texts = distinctAmounts(ticks, display);
  const line = points.map(({ at, balance: value }) => ({ at, value }));
  return (
    <LineChart
      label={label}
      lines={[{ name, colour: 'var(--accent)', points: line }]}
      format={(value) => texts[ticks.indexOf(value)] ?? asExactCurrency(value, display)}
      ticks={ticks}
      isStep
      {...(height !== undefined && { height })}
    />
  );
};
