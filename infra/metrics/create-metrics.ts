import {
  collectDefaultMetrics,
  Counter as PromCounter,
  Gauge as PromGauge,
  Histogram as PromHistogram,
  Registry,
} from 'prom-client';
import type { Metrics } from '../ports/metrics.ts';

const none = {};

/** Between two samples of the event loop's delay: each wakes the process, also when it has nothing to do. */
const loopSampleMs = 500;

/**
 * The Prometheus registry of one process, with the metrics of Node itself. Asking twice for one
 * name gives the same metric, so that two parts of a process may share it.
 */
export const createMetrics = (options: Readonly<{ process: string }>): Metrics => {
  const registry = new Registry();
  registry.setDefaultLabels({ process: options.process });
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: loopSampleMs });

  const once = <T extends object>(name: string, kind: new () => T, create: () => T): T => {
    const known: unknown = registry.getSingleMetric(name);
    if (known === undefined) return create();
    if (known instanceof kind) return known;
    throw new Error(`metric ${name} exists as another kind`);
  };

  return {
    counter: ({ name, help, labels = [] }) => {
      const shape = { name, help, labelNames: labels, registers: [registry] };
      const counter = once(
        name,
        PromCounter as new () => PromCounter,
        () => new PromCounter(shape),
      );
      return { inc: (by = 1, values = none) => counter.inc(values, by) };
    },
    gauge: ({ name, help, labels = [] }) => {
      const shape = { name, help, labelNames: labels, registers: [registry] };
      const gauge = once(name, PromGauge as new () => PromGauge, () => new PromGauge(shape));
      return { set: (value, values = none) => gauge.set(values, value) };
    },
    histogram: ({ name, help, labels = [], buckets }) => {
      const shape = { name, help, labelNames: labels, buckets: [...buckets] };
      const histogram = once(
        name,
        PromHistogram as new () => PromHistogram,
        () => new PromHistogram({ ...shape, registers: [registry] }),
      );
      return { observe: (value, values = none) => histogram.observe(values, value) };
    },
    values: () => registry.getMetricsAsJSON(),
  };
};
