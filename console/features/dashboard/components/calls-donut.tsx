import { useTranslation } from 'react-i18next';
import { Cell, Pie, PieChart, ResponsiveContainer, Tooltip } from 'recharts';
import { abbreviate, formatRatio, formatUnits } from '../../../shared/format/quota.ts';
import type { Series } from '../../../shared/format/series.ts';
import type { ModelSum } from './series.ts';

type Props = Readonly<{
  sums: readonly ModelSum[];
  series: readonly Series[];
  total: number;
  height: number;
}>;
type Slice = Readonly<{ name: string; colour: string; count: number }>;

const slicesOf = (sums: readonly ModelSum[], series: readonly Series[]): Slice[] =>
  series.map(({ name, colour, members }) => ({
    name,
    colour,
    count: sums
      .filter(({ model }) => members.includes(model))
      .reduce((sum, { count }) => sum + count, 0),
  }));

/** Which models are called how often. A separate file: loaded late. */
export const CallsDonut = ({ sums, series, total, height }: Props) => {
  const { t } = useTranslation('dashboard');
  const slices = slicesOf(sums, series);
  return (
    <div className="donut" style={{ height }}>
      <ResponsiveContainer width="100%" height={height}>
        <PieChart>
          <Tooltip
            content={({ active, payload }) => {
              const slice = payload?.[0]?.payload as Slice | undefined;
              return active && slice ? (
                <div className="chart-tip">
                  <strong>{slice.name}</strong>
                  <p>
                    {t('calls-share', {
                      count: slice.count,
                      calls: formatUnits(slice.count),
                      share: formatRatio(slice.count * 100, total, 1),
                    })}
                  </p>
                </div>
              ) : null;
            }}
          />
          <Pie
            data={slices}
            dataKey="count"
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
      </ResponsiveContainer>
      <p className="donut-total">
        <strong>{abbreviate(total)}</strong>
        <span>{t('calls')}</span>
      </p>
    </div>
  );
};
