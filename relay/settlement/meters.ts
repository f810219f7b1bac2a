import type { Histogram, Metrics } from '../../infra/ports/metrics.ts';
import type { Timer, Timers } from '../../infra/ports/timers.ts';

export type RelayMeters = Readonly<{
  began: () => void;
  ended: (status: number) => void;
  /** An admitted request; its work may outlast its client. */
  exchangeBegan: (isStream: boolean) => void;
  exchangeEnded: (isStream: boolean) => void;
  /** Milliseconds from the admission of a request to the first byte of its answer. */
  firstByte: (ms: number) => void;
  /** Milliseconds that the relay itself added, and that upstream took. */
  latency: (addedMs: number, upstreamMs: number) => void;
  attemptFailed: (kind: string) => void;
  /** Requests whose work is not over, drains included. */
  running: () => number;
  start: () => void;
  stop: () => void;
}>;

const flushEveryMs = 1_000;
const addedBuckets = [0.1, 0.25, 0.5, 1, 2, 5, 10, 25, 100, 1_000];
const upstreamBuckets = [50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000, 60_000, 300_000];
const classes = ['1xx', '2xx', '3xx', '4xx', '5xx'] as const;

/** Latencies that wait for the next second, at most; then they are handed on early. */
const maxWaiting = 8_192;

/** Observations in a row find their code warm: one by one between requests they cost five times. */
const gathered = (histogram: Histogram) => {
  let waiting: number[] = [];
  const flush = (): void => {
    const values = waiting;
    waiting = [];
    for (const value of values) histogram.observe(value);
  };
  const add = (value: number): void => {
    waiting.push(value);
    if (waiting.length >= maxWaiting) flush();
  };
  return { add, flush };
};

/** Counts in plain numbers and hands them on once a second: a labelled count costs microseconds. */
export const createMeters = (metrics: Metrics, timers: Timers): RelayMeters => {
  const requests = metrics.counter({
    name: 'relay_requests_total',
    help: 'Requests answered, by class of status',
    labels: ['status'],
  });
  const failures = metrics.counter({
    name: 'relay_upstream_failures_total',
    help: 'Attempts that a provider failed, by kind',
    labels: ['kind'],
  });
  const inFlight = metrics.gauge({
    name: 'relay_requests_in_flight',
    help: 'Requests running now',
  });
  const streams = metrics.gauge({ name: 'relay_streams_open', help: 'Streams running now' });
  const added = gathered(
    metrics.histogram({
      name: 'relay_added_latency_ms',
      help: 'Milliseconds that the relay itself added to a request',
      buckets: addedBuckets,
    }),
  );
  const upstream = gathered(
    metrics.histogram({
      name: 'relay_upstream_latency_ms',
      help: 'Milliseconds from the call of a provider to the end of its answer',
      buckets: upstreamBuckets,
    }),
  );
  const firstByte = gathered(
    metrics.histogram({
      name: 'relay_first_byte_ms',
      help: 'Milliseconds from the admission of a request to the first byte of its answer',
      buckets: upstreamBuckets,
    }),
  );
  const errors = metrics.counter({
    name: 'relay_error_answers_total',
    help: 'Requests refused or failed, by their status',
    labels: ['status'],
  });
  const answered = [0, 0, 0, 0, 0];
  const refused = new Map<number, number>();
  let running = 0;
  let open = 0;
  let exchanges = 0;
  let timer: Timer | null = null;

  const flush = (): void => {
    inFlight.set(running);
    streams.set(open);
    added.flush();
    upstream.flush();
    firstByte.flush();
    for (const [status, count] of refused) errors.inc(count, { status: String(status) });
    refused.clear();
    for (const [index, status] of classes.entries()) {
      const count = answered[index] ?? 0;
      if (count > 0) requests.inc(count, { status });
      answered[index] = 0;
    }
  };

  return {
    began: () => {
      running += 1;
    },
    ended: (status) => {
      running -= 1;
      const index = Math.min(Math.max(Math.floor(status / 100), 1), 5) - 1;
      answered[index] = (answered[index] ?? 0) + 1;
      if (status >= 400) refused.set(status, (refused.get(status) ?? 0) + 1);
    },
    exchangeBegan: (isStream) => {
      exchanges += 1;
      if (isStream) open += 1;
    },
    exchangeEnded: (isStream) => {
      exchanges -= 1;
      if (isStream) open -= 1;
    },
    firstByte: firstByte.add,
    latency: (addedMs, upstreamMs) => {
      added.add(addedMs);
      upstream.add(upstreamMs);
    },
    running: () => running + exchanges,
    attemptFailed: (kind) => failures.inc(1, { kind }),
    start: () => {
      timer ??= timers.setInterval(flush, flushEveryMs).unref();
    },
    stop: () => {
      timers.clear(timer);
      timer = null;
      flush();
    },
  };
};
