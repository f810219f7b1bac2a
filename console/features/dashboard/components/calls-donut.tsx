import { useTranslation } from 'react-i18next';
import { Donut } from '../../../shared/charts/charts.tsx';
import { abbreviate, formatRatio, formatUnits } from '../../../shared/format/quota.ts';
import type { Series } from '../../../shared/format/series.ts';
import type { ModelSum } from './series.ts';

type Props = Readonly<{
  sums: readonly ModelSum[];
  series: readonly Series[];
  total: number;
  height: number;
}>;

/** How often each model is called. */
export const CallsDonut = ({ sums, series, total, height }: Props) => {
  const { t } = useTranslation('dashboard');
  const slices = series.map(({ name, colour, members }) => ({
    name,
    colour,
    value: sums
      .filter(({ model }) => members.includes(model))
      .reduce((sum, { count }) => sum + count, 0),
  }));
  return (
    <Donut
      label={t('calls-by-model')}
      height={height}
      slices={slices}
      total={abbreviate(total)}
      totalName={t('calls')}
      valueText={(count) =>
        t('calls-share', {
          count,
          calls: formatUnits(count),
          share: formatRatio(count * 100, total, 1),
        })
      }
    />
  );
};
