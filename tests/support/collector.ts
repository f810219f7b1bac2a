import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

type AnyValue = Readonly<{
  stringValue?: string;
  intValue?: number | string;
  doubleValue?: number;
}>;
type KeyValue = Readonly<{ key: string; value: AnyValue }>;

/** A received span, its attributes as plain values. */
export type CollectedSpan = Readonly<{
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId: string | undefined;
  /** Of OTLP: 2 server, 3 client, 5 consumer. */
  kind: number;
  startMs: number;
  endMs: number;
  isError: boolean;
  attributes: Readonly<Record<string, string | number | undefined>>;
  resource: Readonly<Record<string, string | number | undefined>>;
}>;

type WireSpan = Readonly<{
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  status: Readonly<{ code?: number }>;
  attributes: readonly KeyValue[];
}>;
type WireResource = Readonly<{ attributes: readonly KeyValue[] }>;
type TraceExport = Readonly<{
  resourceSpans: readonly Readonly<{
    resource: WireResource;
    scopeSpans: readonly Readonly<{ spans: readonly WireSpan[] }>[];
  }>[];
}>;
type WirePoint = Readonly<{
  attributes: readonly KeyValue[];
  asDouble?: number;
  asInt?: number | string;
  count?: number | string;
  bucketCounts?: readonly (number | string)[];
  explicitBounds?: readonly number[];
}>;
type WireMetric = Readonly<{
  name: string;
  sum?: Readonly<{ isMonotonic: boolean; dataPoints: readonly WirePoint[] }>;
  gauge?: Readonly<{ dataPoints: readonly WirePoint[] }>;
  histogram?: Readonly<{ dataPoints: readonly WirePoint[] }>;
}>;
type MetricExport = Readonly<{
  resourceMetrics: readonly Readonly<{
    scopeMetrics: readonly Readonly<{ metrics: readonly WireMetric[] }>[];
  }>[];
}>;

const plain = (attributes: readonly KeyValue[]) =>
  Object.fromEntries(
    attributes.map(({ key, value }) => {
      const number = value.intValue ?? value.doubleValue;
      return [key, value.stringValue ?? (number === undefined ? undefined : Number(number))];
    }),
  );

const msOf = (nanoseconds: string): number => Number(BigInt(nanoseconds) / 1_000n) / 1_000;

const spansOf = ({ resourceSpans }: TraceExport): CollectedSpan[] =>
  resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map((span) => ({
        name: span.name,
        traceId: span.traceId,
        spanId: span.spanId,
        parentSpanId: span.parentSpanId,
        kind: span.kind,
        startMs: msOf(span.startTimeUnixNano),
        endMs: msOf(span.endTimeUnixNano),
        isError: span.status.code === 2,
        attributes: plain(span.attributes),
        resource: plain(resource.attributes),
      })),
    ),
  );

const metricsOf = ({ resourceMetrics }: MetricExport): WireMetric[] =>
  resourceMetrics.flatMap(({ scopeMetrics }) => scopeMetrics.flatMap(({ metrics }) => metrics));

export type Collector = Readonly<{
  url: string;
  spans: readonly CollectedSpan[];
  metrics: readonly WireMetric[];
  /** Everything received, as text. */
  text: () => string;
  close: () => Promise<void>;
}>;

/** A separate collector: OTLP over HTTP, as JSON, on a free port of 127.0.0.1. */
export const startCollector = async (): Promise<Collector> => {
  const spans: CollectedSpan[] = [];
  const metrics: WireMetric[] = [];
  const texts: string[] = [];
  const server = createServer(async (req, res) => {
    let text = '';
    for await (const part of req) text += String(part);
    texts.push(text);
    if (req.url === '/v1/traces') spans.push(...spansOf(JSON.parse(text) as TraceExport));
    else if (req.url === '/v1/metrics')
      metrics.push(...metricsOf(JSON.parse(text) as MetricExport));
    res.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    metrics,
    text: () => texts.join('\n'),
    close: async () => {
      server.closeAllConnections();
      await new Promise<void>((done) => server.close(() => done()));
    },
  };
};
