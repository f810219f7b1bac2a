import { useTranslation } from 'react-i18next';
import { TimeChart } from '../../../shared/charts/charts.tsx';
import { timeLabels } from '../../../shared/charts/time-labels.ts';
import { formatSeconds } from '../../../shared/format/time.ts';
import { type LagPoint, useLags } from '../api/projections.ts';

/** Seconds: minutes that are further apart were not observed in between. */
const maxGap = 150;
/** Fewer points make no line. */
const minPoints = 2;
const height = 140;

type Value = 'projection_seconds' | 'settlement_seconds';

/** Minutes without a charge are no gap in the line, as nothing waited. */
const rowsOf = (points: readonly LagPoint[], value: Value) =>
  points
    .filter((point) => value === 'projection_seconds' || point[value] !== null)
    .map((point) => ({ at: point.at, values: [point[value]] }));

/** How far charges and read models were behind. */
export const LagCharts = () => {
  const { t } = useTranslation('projections');
  const points = useLags().data;
  if (points === undefined) return <div className="lag-space" />;
  const asText = (seconds: number) => t('seconds', { seconds: Number(seconds.toFixed(2)) });
  const whoseAt = (at: number) => points.find((point) => point.at === at)?.projection ?? '';
  const chart = (value: Value) => {
    const rows = rowsOf(points, value);
    const highest = Math.max(0, ...rows.map(({ values: [seconds] }) => seconds ?? 0));
    const isOfProjections = value === 'projection_seconds';
    const name = t(`lag.${value}`);
    return (
      <figure key={value}>
        <figcaption>
          <span>
            <strong>{name}</strong>
            <span className="block subtle">{t(`lag-hint.${value}`)}</span>
          </span>
          {rows.length > 0 && <span>{t('lag.highest', { lag: asText(highest) })}</span>}
        </figcaption>
        {rows.length < minPoints ? (
          <p className="subtle lag-empty">{t(`lag-empty.${value}`)}</p>
        ) : (
          <TimeChart
            label={`${name}, ${t('lag.highest', { lag: asText(highest) })}`}
            height={height}
            rows={rows}
            series={[{ name, colour: 'var(--accent)' }]}
            {...(isOfProjections && { maxGap })}
            tickText={asText}
            valueText={(seconds, at) => `${asText(seconds)} ${isOfProjections ? whoseAt(at) : ''}`}
            labelOf={timeLabels(rows)}
            titleOf={(at) => formatSeconds(at).slice(0, 16)}
          />
        )}
      </figure>
    );
  };
  return (
    <section className="panel">
      <header className="panel-head">
        <h2 className="panel-title">{t('lag.title')}</h2>
      </header>
      <div className="chart-pair is-headed">
        {chart('settlement_seconds')}
        {chart('projection_seconds')}
      </div>
    </section>
  );
};
