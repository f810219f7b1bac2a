import { AggregatorRegistry } from 'prom-client';
import type { MetricValues } from '../ports/metrics.ts';

/** One text for the figures of several processes, distinguished by their label `process`. */
export const mergeMetrics = (ofProcesses: readonly MetricValues[]): Promise<string> =>
  AggregatorRegistry.aggregate(
    ofProcesses.map((values) => values.map((value) => ({ ...value, aggregator: 'sum' }))),
  ).metrics();
