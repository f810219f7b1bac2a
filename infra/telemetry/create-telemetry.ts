import { randomUUID } from 'node:crypto';
import { DiagLogLevel, diag, ROOT_CONTEXT } from '@opentelemetry/api';
import { hrTime } from '@opentelemetry/core';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import {
  BatchSpanProcessor,
  RandomIdGenerator,
  SamplingDecision,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-base';
import type { Logger } from '../ports/logger.ts';
import type { Metrics } from '../ports/metrics.ts';
import type { LogTracing, RelayTracing } from '../ports/tracing.ts';
import { beginCallTrace, beginSessionTrace } from './call-trace.ts';
import { createLogTracing } from './log-tracing.ts';
import { metricDataOf, type RegistryMetric } from './metric-data.ts';
import { writePollSpans } from './poll-spans.ts';
import { createSpanWriter, now } from './spans.ts';

/** Between two warnings that the collector cannot be reached. */
const warnEveryMs = 60_000;
/** A collector that is away does not hold up the end of a process for longer. */
const flushMs = 3_000;
const exportMs = 5_000;

type Settings = Readonly<{
  /** Of the process: edge, control, relay … */
  process: string;
  version: string;
  /** Part of the calls that are sampled, of those whose callers do not decide it. */
  samplingRatio: number;
  metrics: Metrics;
  logger: Logger;
}>;

export type Telemetry = Readonly<{
  relay: RelayTracing;
  log: LogTracing;
  /** Sends what waits, within a bound. */
  stop: () => Promise<void>;
}>;

const resourceOf = ({ process: name, version }: Settings) =>
  resourceFromAttributes({
    'service.name': 'tollgate',
    'service.version': version,
    'service.instance.id': randomUUID(),
    'tollgate.process': name,
  }).merge(detectResources({ detectors: [envDetector] }));

const warnOfFailures = (logger: Logger): void => {
  let warnedAt = Number.NEGATIVE_INFINITY;
  const ignore = () => undefined;
  const error = (message: string): void => {
    if (performance.now() - warnedAt < warnEveryMs) return;
    warnedAt = performance.now();
    logger.warn({ reason: message.slice(0, 500) }, 'telemetry could not be sent');
  };
  const quiet = { warn: ignore, info: ignore, debug: ignore, verbose: ignore };
  diag.setLogger(
    { error, ...quiet },
    { logLevel: DiagLogLevel.ERROR, suppressOverrideMessage: true },
  );
};

/** The figures of the registry itself: nothing is counted a second time. */
const readMetrics = (
  { metrics, version }: Settings,
  resource: ReturnType<typeof resourceOf>,
): PeriodicExportingMetricReader => {
  const startTime = hrTime();
  const reader = new PeriodicExportingMetricReader({
    exporter: new OTLPMetricExporter({ timeoutMillis: exportMs }),
    exportTimeoutMillis: exportMs,
  });
  reader.setMetricProducer({
    collect: async () => {
      const registered = (await metrics.values()) as readonly RegistryMetric[];
      const scope = { name: 'tollgate', version };
      const data = metricDataOf(registered, { startTime, endTime: hrTime() });
      return {
        resourceMetrics: { resource, scopeMetrics: [{ scope, metrics: data }] },
        errors: [],
      };
    },
  });
  return reader;
};

const within = (ms: number, work: Promise<unknown>): Promise<unknown> =>
  Promise.race([work, new Promise((resolve) => setTimeout(resolve, ms).unref())]);

/**
 * Traces and metrics to an OTLP/HTTP collector. Address, headers, sizes of queues and intervals are
 * those of the standard `OTEL_…` variables, which the packages read themselves. What waits is bounded;
 * what finds no room is dropped.
 */
export const createTelemetry = (settings: Settings): Telemetry => {
  warnOfFailures(settings.logger);
  const resource = resourceOf(settings);
  const { version } = settings;
  const exporter = new OTLPTraceExporter({ timeoutMillis: exportMs });
  const processor = new BatchSpanProcessor(exporter);
  const write = createSpanWriter({ resource, processor, version });
  const { generateSpanId: newSpanId } = new RandomIdGenerator();
  const sampler = new TraceIdRatioBasedSampler(settings.samplingRatio);
  const isSampled = (traceId: string): boolean =>
    sampler.shouldSample(ROOT_CONTEXT, traceId).decision === SamplingDecision.RECORD_AND_SAMPLED;
  const calls = { write, newSpanId, isSampled };
  const reader = readMetrics(settings, resource);
  return {
    relay: {
      begin: (call) => beginCallTrace(calls, call),
      beginSession: (call) => beginSessionTrace(calls, call),
      now,
      polled: writePollSpans(write, newSpanId),
    },
    log: createLogTracing(write, newSpanId),
    stop: async () => {
      await within(flushMs, Promise.allSettled([processor.shutdown(), reader.shutdown()]));
    },
  };
};
