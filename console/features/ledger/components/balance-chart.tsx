import { useTranslation } from 'react-i18next';
import { Area, AreaChart, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import {
  asExactCurrency,
  distinctAmounts,
  type QuotaDisplay,
} from '../../../shared/format/quota.ts';
import { formatSeconds } from '../../../shared/format/time.ts';
import { useQuotaDisplay } from '../../../shared/status.ts';
import type { LedgerEntry } from '../api/ledger.ts';

/** Room around the line, as a share of its range. */
const margin = 0.1;

/** Lowest, middle and highest balance shown, with distinct texts. */
const axisOf = (balances: readonly number[], display: QuotaDisplay) => {
  const low = Math.min(...balances);
  const high = Math.max(...balances);
  const ticks = [...new Set([low, Math.round((low + high) / 2), high])];
  const texts = distinctAmounts(ticks, display);
  const room = Math.max(1, (high - low) * margin);
  return {
    ticks,
    domain: [low - room, high + room] as const,
    width: Math.max(...texts.map(({ length }) => length)) * 7 + 12,
    textOf: (value: number) => texts[ticks.indexOf(value)] ?? asExactCurrency(value, display),
  };
};

/** The running balance over the entries shown, oldest on the left. A file of its own: loaded late. */
export const BalanceChart = ({ entries }: Readonly<{ entries: readonly LedgerEntry[] }>) => {
  const { t } = useTranslation('ledger');
  const display = useQuotaDisplay();
  const points = entries
    .map(({ id, at, balance_after }) => ({ id, at, balance: balance_after }))
    .reverse();
  const axis = axisOf(
    points.map(({ balance }) => balance),
    display,
  );
  return (
    <div className="balance-chart" role="img" aria-label={t('chart')}>
      <ResponsiveContainer width="100%" height={120}>
        <AreaChart data={points} margin={{ top: 8, right: 0, bottom: 0, left: 0 }}>
          <defs>
            <linearGradient id="balance-fill" x1="0" y1="0" x2="0" y2="1">
              <stop offset="0%" stopColor="var(--accent)" stopOpacity={0.28} />
              <stop offset="100%" stopColor="var(--accent)" stopOpacity={0.02} />
            </linearGradient>
          </defs>
          <XAxis dataKey="id" hide />
          <YAxis
            orientation="right"
            width={axis.width}
            domain={axis.domain}
            ticks={axis.ticks}
            tickFormatter={axis.textOf}
            axisLine={false}
            tickLine={false}
            tick={{ fontSize: 11, fill: 'var(--text-3)' }}
          />
          <Tooltip
            formatter={(value) => [asExactCurrency(Number(value), display), t('column.balance')]}
            labelFormatter={(_, [point]) => formatSeconds(Number(point?.payload?.at))}
            contentStyle={{
              background: 'var(--surface)',
              border: '1px solid var(--line-strong)',
              borderRadius: 6,
              color: 'var(--text)',
            }}
          />
          <Area
            type="stepAfter"
            dataKey="balance"
            stroke="var(--accent)"
            strokeWidth={1.75}
            fill="url(#balance-fill)"
            isAnimationActive={false}
          />
        </AreaChart>
      </ResponsiveContainer>
    </div>
  );
};
