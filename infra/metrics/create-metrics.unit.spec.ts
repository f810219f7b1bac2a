import { expect, test } from 'vitest';
import { createMetrics } from './create-metrics.ts';

test('metrics of the product and of Node stand in one text, labelled with the process', async () => {
  const metrics = createMetrics({ process: 'relay' });
  metrics.counter({ name: 'requests_total', help: 'r', labels: ['code'] }).inc(2, { code: '200' });
  metrics.gauge({ name: 'leases', help: 'l' }).set(3);
  metrics.histogram({ name: 'added_ms', help: 'a', buckets: [1, 5] }).observe(2);
  const text = await metrics.text();
  expect(text).toContain('requests_total{code="200",process="relay"} 2');
  expect(text).toContain('leases{process="relay"} 3');
  expect(text).toContain('added_ms_bucket{le="5",process="relay"} 1');
  expect(text).toContain('process_cpu_seconds_total');
});

test('two parts of a process share a metric of one name', async () => {
  const metrics = createMetrics({ process: 'relay' });
  metrics.counter({ name: 'shared_total', help: 's' }).inc();
  metrics.counter({ name: 'shared_total', help: 's' }).inc();
  expect(await metrics.text()).toContain('shared_total{process="relay"} 2');
  expect(() => metrics.gauge({ name: 'shared_total', help: 's' })).toThrow('another kind');
});
