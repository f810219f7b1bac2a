import { DataPointType } from '@opentelemetry/sdk-metrics';
import { expect, test } from 'vitest';
import { createMetrics } from '../metrics/create-metrics.ts';
import { metricDataOf, type RegistryMetric } from './metric-data.ts';

const period = { startTime: [1, 0], endTime: [2, 0] } satisfies Parameters<typeof metricDataOf>[1];

const dataOf = async (fill: (metrics: ReturnType<typeof createMetrics>) => void) => {
  const metrics = createMetrics({ process: 'relay' });
  fill(metrics);
  const data = metricDataOf((await metrics.values()) as readonly RegistryMetric[], period);
  return (name: string) => data.find(({ descriptor }) => descriptor.name === name);
};

test('counters and gauges of the registry keep their names, labels and figures', async () => {
  const find = await dataOf((metrics) => {
    metrics.counter({ name: 'calls_total', help: 'c', labels: ['status'] }).inc(3, {
      status: '2xx',
    });
    metrics.gauge({ name: 'open', help: 'o' }).set(7);
  });
  expect(find('calls_total')).toMatchObject({
    dataPointType: DataPointType.SUM,
    isMonotonic: true,
    dataPoints: [{ value: 3, attributes: { status: '2xx', process: 'relay' } }],
  });
  expect(find('open')).toMatchObject({
    dataPointType: DataPointType.GAUGE,
    dataPoints: [{ value: 7, attributes: { process: 'relay' } }],
  });
});

test('each bucket of a histogram holds what fell into it alone, the last what was above all', async () => {
  const find = await dataOf((metrics) => {
    const histogram = metrics.histogram({ name: 'lag', help: 'l', buckets: [1, 5, 10] });
    for (const value of [0.5, 0.7, 3, 10, 99, 100]) histogram.observe(value);
  });
  expect(find('lag')).toMatchObject({
    dataPointType: DataPointType.HISTOGRAM,
    dataPoints: [
      {
        attributes: { process: 'relay' },
        value: {
          buckets: { boundaries: [1, 5, 10], counts: [2, 1, 1, 2] },
          count: 6,
          sum: 213.2,
        },
      },
    ],
  });
});
