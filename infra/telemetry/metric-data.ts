import { type HrTime, ValueType } from '@opentelemetry/api';
import {
  AggregationTemporality,
  DataPointType,
  type HistogramMetricData,
  type MetricData,
} from '@opentelemetry/sdk-metrics';

type Labels = Readonly<Record<string, string | number>>;
type Value = Readonly<{ value: number; labels: Labels; metricName?: string }>;

/** As the Prometheus registry of a process has it; see `MetricValues`. */
export type RegistryMetric = Readonly<{
  name: string;
  help: string;
  type: string;
  values: readonly Value[];
}>;

export type Period = Readonly<{ startTime: HrTime; endTime: HrTime }>;

const base = ({ name, help }: RegistryMetric) => ({
  descriptor: { name, description: help, unit: '', valueType: ValueType.DOUBLE },
  aggregationTemporality: AggregationTemporality.CUMULATIVE,
});

const pointsOf = ({ values }: RegistryMetric, period: Period) =>
  values.map(({ value, labels }) => ({ ...period, attributes: { ...labels }, value }));

type Bucket = Readonly<{ limit: number; count: number }>;
type Series = { labels: Labels; sum: number; count: number; readonly buckets: Bucket[] };

/** Buckets, sum and count of one combination of labels are adjacent in the registry. */
const seriesOf = ({ name, values }: RegistryMetric): readonly Series[] => {
  const series = new Map<string, Series>();
  for (const { value, labels: all, metricName } of values) {
    const { le, ...labels } = all;
    const key = JSON.stringify(Object.entries(labels).sort());
    const one = series.get(key) ?? { labels, sum: 0, count: 0, buckets: [] };
    series.set(key, one);
    if (metricName === `${name}_sum`) one.sum = value;
    else if (metricName === `${name}_count`) one.count = value;
    else if (le !== '+Inf') one.buckets.push({ limit: Number(le), count: value });
  }
  return [...series.values()];
};

/** The registry counts each bucket with those below it, OpenTelemetry by itself. */
const histogramOf = ({ buckets, sum, count }: Series) => {
  const sorted = [...buckets].sort((a, b) => a.limit - b.limit);
  const upTo = [0, ...sorted.map((bucket) => bucket.count), count];
  return {
    buckets: {
      boundaries: sorted.map(({ limit }) => limit),
      counts: upTo.slice(1).map((total, at) => total - (upTo[at] ?? 0)),
    },
    sum,
    count,
  };
};

const histogramData = (metric: RegistryMetric, period: Period): HistogramMetricData => ({
  ...base(metric),
  dataPointType: DataPointType.HISTOGRAM,
  dataPoints: seriesOf(metric).map((series) => ({
    ...period,
    attributes: { ...series.labels },
    value: histogramOf(series),
  })),
});

/** What the registry of a process counts, in OpenTelemetry's form and under the same names. */
export const metricDataOf = (metrics: readonly RegistryMetric[], period: Period): MetricData[] =>
  metrics.flatMap((metric): MetricData[] => {
    switch (metric.type) {
      case 'counter': {
        const dataPoints = pointsOf(metric, period);
        return [
          { ...base(metric), dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints },
        ];
      }
      case 'gauge':
        return [
          {
            ...base(metric),
            dataPointType: DataPointType.GAUGE,
            dataPoints: pointsOf(metric, period),
          },
        ];
      case 'histogram':
        return [histogramData(metric, period)];
      default:
        return [];
    }
  });
