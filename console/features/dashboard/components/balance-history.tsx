import { useTranslation } from 'react-i18next';
import { Area, AreaChart, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import { asExactCurrency, distinctAmounts } from '../../../shared/format/quota.ts';
import { formatSeconds } from '../../../shared/format/time.ts';
import { useQuotaDisplay } from '../../../shared/status.ts';
import type { BalancePoint } from '../api/usage.ts';

/** Room around the line, as a share of its range. */
const margin = 0.1;

/** The balance over the range, oldest on the left. A file of its own: loaded late. */
export const BalanceHistory = ({ points }: Readonly<{ points: readonly BalancePoint[] }>) => {
  const { t } = useTranslation('dashboard');
  const display = useQuotaDisplay();
  const balances = points.map(({ balance }) => balance);
  const low = Math.min(...balances);
  const high = Math.max(...balances);
  const room = Math.max(1, (high - low) * margin);
  const ticks = [...new Set([low, high])];
  const texts = distinctAmounts(ticks, display);
  return (
    <ResponsiveContainer width="100%" height={150}>
      <AreaChart data={[...points]} margin={{ top: 8, right: 0, bottom: 0, left: 0 }}>
        <XAxis dataKey="at" hide />
        <YAxis
          orientation="right"
          width={Math.max(...texts.map(({ length }) => length)) * 7 + 12}
          domain={[low - room, high + room]}
          ticks={ticks}
          tickFormatter={(value: number) => texts[ticks.indexOf(value)] ?? ''}
          axisLine={false}
          tickLine={false}
          tick={{ fontSize: 11, fill: 'var(--text-3)' }}
        />
        <Tooltip
          content={({ active, payload }) => {
            const point = payload?.[0]?.payload as BalancePoint | undefined;
            return active && point ? (
              <div className="chart-tip">
                <strong>{formatSeconds(point.at)}</strong>
                <p>{t('balance-then', { balance: asExactCurrency(point.balance, display) })}</p>
              </div>
            ) : null;
          }}
        />
        <Area
          type="stepAfter"
          dataKey="balance"
          stroke="var(--accent)"
          strokeWidth={1.75}
          fill="var(--accent-soft)"
          isAnimationActive={false}
        />
      </AreaChart>
    </ResponsiveContainer>
  );
};
