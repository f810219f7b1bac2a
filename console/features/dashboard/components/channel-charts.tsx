import { useTranslation } from 'react-i18next';
import { LineChart } from '../../../shared/components/line-chart.tsx';
import type { LinePoint } from '../../../shared/components/line-scale.ts';
import { seriesOf } from '../../../shared/format/series.ts';
import type { ChannelHealth } from '../api/overview.ts';
import { asPercent, asSeconds, errorRate } from './change.ts';

/** More lines than these could not be distinguished. */
const maxChannels = 6;
const hourSeconds = 3600;
/** Fewer hours make no line. */
const minHours = 2;

type Hour = ChannelHealth['hours'][number];

const pointsOf = (
  { hours }: ChannelHealth,
  measure: (hour: Hour) => number | null,
): readonly LinePoint[] => hours.map((hour) => ({ at: hour.at, value: measure(hour) }));

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
  ) => (
    <figure>
      <figcaption>
        <strong>{title}</strong>
      </figcaption>
      <LineChart
        label={title}
        lines={shown.map((channel, at) => ({
          name: names[at] ?? '',
          colour: series[at]?.colour ?? 'var(--series-other)',
          points: pointsOf(channel, measure),
        }))}
        format={format}
        maxGap={hourSeconds}
      />
    </figure>
  );
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
