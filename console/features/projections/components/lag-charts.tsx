import { useTranslation } from 'react-i18next';
import { LineChart } from '../../../shared/components/line-chart.tsx';
import type { LinePoint } from '../../../shared/components/line-scale.ts';
import { type LagPoint, useLags } from '../api/projections.ts';

/** Seconds: minutes that are further apart were not observed in between. */
const maxGap = 150;
/** Fewer points make no line. */
const minPoints = 2;
const height = 140;

type Value = 'projection_seconds' | 'settlement_seconds';

const pointsOf = (points: readonly LagPoint[], value: Value): readonly LinePoint[] =>
  points.map((point) => ({ at: point.at, value: point[value] }));

/** Minutes without a charge are no gap in the line, as nothing waited. */
const measuredOf = (points: readonly LinePoint[]) => points.filter(({ value }) => value !== null);

/** How far charges and read models were behind. */
export const LagCharts = () => {
  const { t } = useTranslation('projections');
  const points = useLags().data;
  if (points === undefined) return <div className="lag-space" />;
  const asText = (seconds: number) => t('seconds', { seconds: Number(seconds.toFixed(2)) });
  const whoseAt = (at: number) => points.find((point) => point.at === at)?.projection ?? '';
  const chart = (value: Value) => {
    const all = pointsOf(points, value);
    const line = value === 'settlement_seconds' ? measuredOf(all) : all;
    const highest = Math.max(0, ...line.map((point) => point.value ?? 0));
    const name = t(`lag.${value}`);
    return (
      <figure key={value}>
        <figcaption>
          <span>
            <strong>{name}</strong>
            <span className="block subtle">{t(`lag-hint.${value}`)}</span>
          </span>
          {line.length > 0 && <span>{t('lag.highest', { lag: asText(highest) })}</span>}
        </figcaption>
        {line.length < minPoints ? (
          <p className="subtle lag-empty">{t(`lag-empty.${value}`)}</p>
        ) : (
          <LineChart
            label={`${name}, ${t('lag.highest', { lag: asText(highest) })}`}
            lines={[
              {
                name,
                colour: 'var(--accent)',
                points: line,
                ...(value === 'projection_seconds' && { note: whoseAt }),
              },
            ]}
            format={asText}
            height={height}
            {...(value === 'projection_seconds' && { maxGap })}
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
