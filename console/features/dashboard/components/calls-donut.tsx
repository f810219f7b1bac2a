import { useTranslation } from 'react-i18next';
import { Cell, Pie, PieChart, ResponsiveContainer, Tooltip } from 'recharts';
import { abbreviate, formatRatio, formatUnits } from '../../../shared/format/quota.ts';
import { modelColour } from './model-colour.ts';
import type { ModelSum } from './series.ts';

type Props = Readonly<{ sums: readonly ModelSum[]; total: number; height: number }>;

/** Who is called how often. A file of its own: loaded late. */
export const CallsDonut = ({ sums, total, height }: Props) => {
  const { t } = useTranslation('dashboard');
  return (
    <div className="donut" style={{ height }}>
      <ResponsiveContainer width="100%" height={height}>
        <PieChart>
          <Tooltip
            content={({ active, payload }) => {
              const sum = payload?.[0]?.payload as ModelSum | undefined;
              return active && sum ? (
                <div className="chart-tip">
                  <strong>{sum.model}</strong>
                  <p>
                    {t('calls-share', {
                      calls: formatUnits(sum.count),
                      share: formatRatio(sum.count * 100, total, 1),
                    })}
                  </p>
                </div>
              ) : null;
            }}
          />
          <Pie
            data={[...sums]}
            dataKey="count"
            nameKey="model"
            innerRadius="58%"
            outerRadius="94%"
            stroke="var(--surface)"
            strokeWidth={2}
            isAnimationActive={false}
          >
            {sums.map(({ model }) => (
              <Cell key={model} fill={modelColour(model)} />
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
