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

/** Prometheus metrics of one process. */
export interface Metrics {
  counter(shape: Shape): Counter;
  gauge(shape: Shape): Gauge;
  histogram(shape: Shape & Readonly<{ buckets: readonly number[] }>): Histogram;
  /** The text that `/metrics` answers. */
  text(): Promise<string>;
}
