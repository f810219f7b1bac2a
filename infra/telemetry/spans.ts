import {
  type Attributes,
  ROOT_CONTEXT,
  type SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import type { Resource } from '@opentelemetry/resources';
import {
  AlwaysOnSampler,
  BasicTracerProvider,
  type IdGenerator,
  type SpanProcessor,
} from '@opentelemetry/sdk-trace-base';

type SpanFacts = Readonly<{
  name: string;
  kind: SpanKind;
  traceId: string;
  spanId: string;
  /** null: the first of its trace. */
  parentSpanId: string | null;
  /** Unix milliseconds, with fractions. */
  startMs: number;
  endMs: number;
  attributes: Attributes;
  isError?: boolean;
}>;

export type WriteSpan = (facts: SpanFacts) => void;

/** Unix milliseconds, with fractions. */
export const now = (): number => performance.timeOrigin + performance.now();

/**
 * Writes spans that are over, under ids that were chosen for them: several processes write spans of
 * one trace and derive each other's ids from the request id alone. The caller has decided on
 * sampling.
 */
export const createSpanWriter = (
  options: Readonly<{ resource: Resource; processor: SpanProcessor; version: string }>,
): WriteSpan => {
  let next = { traceId: '', spanId: '' };
  const idGenerator: IdGenerator = {
    generateTraceId: () => next.traceId,
    generateSpanId: () => next.spanId,
  };
  const provider = new BasicTracerProvider({
    resource: options.resource,
    sampler: new AlwaysOnSampler(),
    spanProcessors: [options.processor],
    idGenerator,
  });
  const tracer = provider.getTracer('tollgate', options.version);
  return ({ name, kind, traceId, spanId, parentSpanId, startMs, endMs, attributes, isError }) => {
    next = { traceId, spanId };
    const parent = { traceId, spanId: parentSpanId ?? '', traceFlags: 1, isRemote: true };
    const context =
      parentSpanId === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, parent);
    const span = tracer.startSpan(name, { kind, startTime: startMs, attributes }, context);
    if (isError === true) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end(Math.max(startMs, endMs));
  };
};
