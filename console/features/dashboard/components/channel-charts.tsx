import { useTranslation } from 'react-i18next';
import { TimeChart } from '../../../shared/charts/charts.tsx';
import { rowsOf } from '../../../shared/charts/rows.ts';
import { timeLabels } from '../../../shared/charts/time-labels.ts';
import { seriesOf } from '../../../shared/format/series.ts';
import { formatSeconds } from '../../../shared/format/time.ts';
import type { ChannelHealth } from '../api/overview.ts';
import { asPercent, asSeconds, errorRate } from './change.ts';

/** More lines than these could not be distinguished. */
const maxChannels = 6;
const hourSeconds = 3600;
const chartHeight = 160;
/** Fewer hours make no line. */
const minHours = 2;

type Hour = ChannelHealth['hours'][number];

/** Errors and latency of the channels with most calls, hour by hour. */
export const ChannelCharts = ({ channels }: Readonly<{ channels: readonly ChannelHealth[] }>) => {
  const { t } = useTranslation('dashboard');
  const shown = channels.slice(0, maxChannels);
  const names = shown.map(({ id, name }) => name || `#${id}`);
  const series = seriesOf(
    shown.map(({ id }) => String(id)),
    t('other'),
  );
  const hours = new Set(shown.flatMap((channel) => channel.hours.map(({ at }) => at)));
  if (hours.size < minHours) return null;
  const figure = (
    title: string,
    measure: (hour: Hour) => number | null,
    format: (value: number) => string,
  ) => {
    const rows = rowsOf(
      shown.map((channel) => channel.hours.map((hour) => ({ at: hour.at, value: measure(hour) }))),
    );
    return (
      <figure>
        <figcaption>
          <strong>{title}</strong>
        </figcaption>
        <TimeChart
          label={title}
          height={chartHeight}
          rows={rows}
          series={shown.map((_, nth) => ({
            name: names[nth] ?? '',
            colour: series[nth]?.colour ?? 'var(--series-other)',
          }))}
          maxGap={hourSeconds}
          tickText={format}
          valueText={format}
          labelOf={timeLabels(rows)}
          titleOf={(at) => formatSeconds(at).slice(0, 16)}
        />
      </figure>
    );
  };
  return (
    <>
      <div className="chart-pair is-headed">
        {figure(t('chart.error-rate'), errorRate, asPercent)}
        {figure(t('chart.latency'), ({ median_ms }) => median_ms, asSeconds)}
      </div>
      <ul className="line-names">
        {shown.map(({ id }, at) => (
          <li key={id}>
            <i style={{ background: series[at]?.colour }} />
            {names[at]}
          </li>
        ))}
      </ul>
    </>
  );
};
