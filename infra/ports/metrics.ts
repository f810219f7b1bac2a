export interface Counter {
  inc(by?: number, labels?: Readonly<Record<string, string>>): void;
}
export interface Gauge {
  set(value: number, labels?: Readonly<Record<string, string>>): void;
}
export interface Histogram {
  observe(value: number, labels?: Readonly<Record<string, string>>): void;
}
type Shape = Readonly<{ name: string; help: string; labels?: readonly string[] }>;

/** What a registry holds, as one process hands it to another; its form is the adapter's own. */
export type MetricValues = readonly object[];

/** Prometheus metrics of one process. */
export interface Metrics {
  counter(shape: Shape): Counter;
  gauge(shape: Shape): Gauge;
  histogram(shape: Shape & Readonly<{ buckets: readonly number[] }>): Histogram;
  /** What `/metrics` answers, before it is put into text. */
  values(): Promise<MetricValues>;
}
