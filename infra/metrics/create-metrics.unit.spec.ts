import { expect, test } from 'vitest';
import { createMetrics } from './create-metrics.ts';
import { mergeMetrics } from './merge-metrics.ts';

test('metrics of the product and of Node are in one text, labelled with the process', async () => {
  const metrics = createMetrics({ process: 'relay' });
  metrics.counter({ name: 'requests_total', help: 'r', labels: ['code'] }).inc(2, { code: '200' });
  metrics.gauge({ name: 'leases', help: 'l' }).set(3);
  metrics.histogram({ name: 'added_ms', help: 'a', buckets: [1, 5] }).observe(2);
  const text = await mergeMetrics([await metrics.values()]);
  expect(text).toContain('requests_total{code="200",process="relay"} 2');
  expect(text).toContain('leases{process="relay"} 3');
  expect(text).toContain('added_ms_bucket{le="5",process="relay"} 1');
  expect(text).toContain('process_cpu_seconds_total');
});

test('the event loop of an idle process is sampled a few times a second, not eighty', async () => {
  const metrics = createMetrics({ process: 'idle' });
  const betweenSamples = async (): Promise<number> => {
    const text = await mergeMetrics([await metrics.values()]);
    return Number(/nodejs_eventloop_lag_min_seconds\{[^}]*\} (\S+)/.exec(text)?.[1]);
  };
  // Before the first sample it holds the largest number there is.
  await expect.poll(betweenSamples, { timeout: 20_000, interval: 1_500 }).toBeLessThan(1_000);
  await expect.poll(betweenSamples, { timeout: 20_000, interval: 1_500 }).toBeGreaterThan(0.3);
});

test('two parts of a process share a metric of one name', async () => {
  const metrics = createMetrics({ process: 'relay' });
  metrics.counter({ name: 'shared_total', help: 's' }).inc();
  metrics.counter({ name: 'shared_total', help: 's' }).inc();
  expect(await mergeMetrics([await metrics.values()])).toContain('shared_total{process="relay"} 2');
  expect(() => metrics.gauge({ name: 'shared_total', help: 's' })).toThrow('another kind');
});

test('figures of several processes are in one text, each once', async () => {
  const ofProcesses = await Promise.all(
    ['edge', 'control'].map((process) => {
      const metrics = createMetrics({ process });
      metrics.counter({ name: 'requests_total', help: 'r' }).inc(process === 'edge' ? 1 : 2);
      return metrics.values();
    }),
  );
  const text = await mergeMetrics(JSON.parse(JSON.stringify(ofProcesses)));
  expect(text).toContain('requests_total{process="edge"} 1');
  expect(text).toContain('requests_total{process="control"} 2');
  expect(text.match(/^# TYPE requests_total /gm)).toHaveLength(1);
  expect(text.match(/^process_start_time_seconds\{/gm)).toHaveLength(2);
});
