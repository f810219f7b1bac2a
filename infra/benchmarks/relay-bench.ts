import { setApart } from './cores.ts';
import { median, quantile, type Shape, saturate, steady } from './load.ts';
import { type MiddleName, type Middles, middleNames, openPlant, type Plant } from './plant.ts';
import { isProfiling, profiled } from './profile/profiler.ts';
import { round, rounds, type Sample, shapesNamed, warmUps, width } from './relay-round.ts';

const latencyRounds = 4;

export type RelayRow = Readonly<{
  shape: string;
  /** Requests per second, saturated, median of the rounds. */
  perSecond: Readonly<Record<MiddleName, number>>;
  /** CPU of the process in the middle per request, microseconds, accounting included. */
  cpuMicros: Readonly<{ bare: number; relay: number; allOfTollgate: number }>;
  /** Median over the rounds of relay by the bare proxy beside it. */
  cpuRatio: number;
  /** The same of the calmest quarter of each one's rounds: what others do only ever adds. */
  cpuRatioCalm: number;
  cpuRatioAll: number;
  /** Milliseconds above the bare proxy at 200 requests/s. */
  addedMs: Readonly<{ p50: number; p99: number }>;
  /** Milliseconds above the upstream alone at 200 requests/s. */
  aboveUpstreamMs: Readonly<{ p50: number; p99: number }>;
}>;

const latenciesOf = async (middles: Middles, shape: Shape) => {
  const latencies: Record<MiddleName, number[]> = { upstream: [], bare: [], relay: [] };
  for (let i = 0; i < latencyRounds; i += 1) {
    for (const name of middleNames) {
      const target = middles[name];
      const plan = { pool: target.pool, target, body: shape.body };
      latencies[name].push(...(await steady(plan, { perSecond: 200, count: 200 })));
    }
  }
  return latencies;
};

const warmUp = async (plant: Plant, wanted: readonly Shape[]): Promise<void> => {
  for (let i = 0; i < warmUps; i += 1) {
    for (const shape of wanted) {
      const middles = plant.middlesOf(shape);
      for (const name of middleNames) await round(middles[name], shape);
    }
  }
};

const measure = async (middles: Middles, shape: Shape): Promise<RelayRow> => {
  const samples: Record<MiddleName, Sample[]> = { upstream: [], bare: [], relay: [] };
  for (let i = 0; i < rounds; i += 1) {
    // Each goes first in turn, so that none always follows the same other.
    const order = i % 2 === 0 ? middleNames : middleNames.toReversed();
    for (const name of order) samples[name].push(await round(middles[name], shape));
  }
  const of = (name: MiddleName, read: (sample: Sample) => number): number =>
    median(samples[name].map(read));
  const ratio = (read: (sample: Sample) => number): number =>
    median(samples.relay.map((sample, i) => read(sample) / (samples.bare[i]?.micros ?? 0)));
  const calm = (name: MiddleName) =>
    quantile(
      samples[name].map(({ micros }) => micros),
      0.25,
    );
  const latencies = await latenciesOf(middles, shape);
  const above = (name: MiddleName, q: number) =>
    quantile(latencies.relay, q) - quantile(latencies[name], q);
  const perSecond = (name: MiddleName) => 1 / of(name, ({ seconds }) => seconds);
  return {
    shape: shape.name,
    perSecond: {
      upstream: perSecond('upstream'),
      bare: perSecond('bare'),
      relay: perSecond('relay'),
    },
    cpuMicros: {
      bare: of('bare', ({ micros }) => micros),
      relay: of('relay', ({ micros }) => micros),
      allOfTollgate: of('relay', ({ allMicros }) => allMicros),
    },
    cpuRatio: ratio(({ micros }) => micros),
    cpuRatioCalm: calm('relay') / calm('bare'),
    cpuRatioAll: ratio(({ allMicros }) => allMicros),
    addedMs: { p50: above('bare', 0.5), p99: above('bare', 0.99) },
    aboveUpstreamMs: { p50: above('upstream', 0.5), p99: above('upstream', 0.99) },
  };
};

/** Apart from the rounds: the bare proxy and the relay, one after the other. */
const profile = async (middles: Middles, shape: Shape): Promise<void> => {
  for (const name of ['bare', 'relay'] as const) {
    const { pool, ...target } = middles[name];
    await profiled(shape.name, target.pid, () =>
      saturate({ pool, target, body: shape.body }, { count: 5 * shape.perRound, width }),
    );
  }
};

/** The relay of the all-in-one run against a bare proxy and against the upstream alone. */
export const benchRelay = async (only = ''): Promise<RelayRow[]> => {
  const plant = await openPlant();
  const shareCores = setApart(plant.gateways);
  try {
    const isApart = shareCores !== null;
    console.log(isApart ? 'gateways alone on one core' : 'gateways share all cores with the rest');
    const rows: RelayRow[] = [];
    const wanted = shapesNamed(only);
    await warmUp(plant, wanted);
    for (const shape of wanted) {
      const row = await measure(plant.middlesOf(shape), shape);
      console.log(`${shape.name}: ${row.cpuRatio.toFixed(2)}× the CPU of the bare proxy`);
      rows.push(row);
      if (isProfiling) await profile(plant.middlesOf(shape), shape);
    }
    return rows;
  } finally {
    await plant.stop();
    shareCores?.();
  }
};
