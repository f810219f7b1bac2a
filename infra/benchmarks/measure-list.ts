import type { LedgerRow } from './ledger-bench.ts';
import type { RelayRow } from './relay-bench.ts';
import type { TreeRow } from './tree-bench.ts';
import type { VerifyFigures } from './verify-child.ts';

type PageFigures = Readonly<Record<string, Readonly<{ p99: number }>>>;

/** What the benchmarks of one run wrote to `bench-results/`, by the name of the file. */
export type Results = Readonly<{
  latest: Readonly<{ relay: readonly RelayRow[]; ledger: readonly LedgerRow[] }>;
  tree: Readonly<{ rows: readonly TreeRow[] }>;
  feed: Readonly<{ rows: readonly Readonly<{ p99: number }>[] }>;
  scale: Readonly<{ readyMs: number; readyMb: number }>;
  verify: Readonly<{ results: readonly VerifyFigures[] }>;
  /** The smaller log first. */
  log: Readonly<{ results: readonly PageFigures[] }>;
}>;

export type Measure = Readonly<{
  name: string;
  bar: Readonly<{ atMost: number } | { atLeast: number }>;
  /** What it was before the changes of decision 0023, on the machine of then; null: not known. */
  before: number | null;
  /** Undefined when the benchmark has no such row. */
  read: (results: Results) => number | undefined;
}>;

/** The largest, or undefined where one is not known. */
const worstOf = (values: readonly (number | undefined)[]): number | undefined =>
  values.length === 0 || values.includes(undefined)
    ? undefined
    : Math.max(...(values as readonly number[]));

const relayMeasure = (shape: string, atMost: number, before: number | null): Measure => ({
  name: `relay, CPU against a bare proxy: ${shape} (×)`,
  bar: { atMost },
  before,
  read: ({ latest }) => latest.relay.find((row) => row.shape === shape)?.cpuRatio,
});

const loadOf = ({ tree }: Results, load: string): TreeRow | undefined =>
  tree.rows.find((row) => row.load.startsWith(load));

const callMeasure = (load: string, atMost: number, before: number): Measure => ({
  name: `whole tree, CPU of a call at ${load} (ms)`,
  bar: { atMost },
  before,
  read: (results) => loadOf(results, load)?.cpuMsAll,
});

const addedMeasure = (quantile: 'p50' | 'p99', atMost: number, before: number): Measure => ({
  name: `whole tree, added at 200/s, ${quantile} (ms)`,
  bar: { atMost },
  before,
  read: (results) => {
    const latency = loadOf(results, '200/s')?.latency;
    return latency == null ? undefined : latency.relay[quantile] - latency.bare[quantile];
  },
});

const ledgerMeasure = (
  name: string,
  row: string,
  { atLeast, before }: Readonly<Record<'atLeast' | 'before', number>>,
): Measure => ({
  name,
  bar: { atLeast },
  before,
  read: ({ latest }) => latest.ledger.find((ledgerRow) => ledgerRow.name === row)?.perSecond,
});

/** Of the largest log that was verified. */
const verified = ({ verify }: Results): VerifyFigures | undefined => verify.results.at(-1);

/** What the product is measured by, in the order in which it is shown. */
export const measures: readonly Measure[] = [
  relayMeasure('1 KB chat', 1.3, 1.48),
  relayMeasure('16 KB chat', 1.3, 1.29),
  relayMeasure('256 KB chat', 1.3, null),
  relayMeasure('36-event stream', 1.15, 1.2),
  relayMeasure('36-event stream of Anthropic, translated', 1.5, 1.53),
  relayMeasure('1 KB chat, upstream over TLS', 1.3, null),
  callMeasure('10/s', 2, 17),
  callMeasure('50/s', 1, 15),
  callMeasure('200/s', 0.6, 7.4),
  callMeasure('1000/s', 0.35, 1.5),
  {
    name: 'whole tree, calls a second on one core',
    bar: { atLeast: 4_500 },
    before: 2_994,
    read: (results) => loadOf(results, 'saturated, one core')?.perSecond,
  },
  {
    name: 'idle tree, CPU (ms/s)',
    bar: { atMost: 10 },
    before: 20,
    read: (results) => loadOf(results, 'idle')?.cpuMsAll,
  },
  {
    name: 'whole tree, resident memory under load (MB)',
    bar: { atMost: 600 },
    before: 600,
    read: ({ tree }) => worstOf(tree.rows.map(({ residentMb }) => residentMb)),
  },
  addedMeasure('p50', 0.3, 1.24),
  addedMeasure('p99', 2, 5.6),
  {
    name: 'a charge is seen in log and ledger, p99 (ms)',
    bar: { atMost: 1_000 },
    before: null,
    read: ({ tree }) => {
      const steady = tree.rows.filter(({ latency }) => latency !== null);
      return worstOf(steady.map(({ seen }) => seen?.p99));
    },
  },
  ledgerMeasure('settlement, charges a second', 'settlement: charges', {
    atLeast: 15_000,
    before: 17_000,
  }),
  ledgerMeasure('build of all projections, events a second', 'build of all projections', {
    atLeast: 20_000,
    before: 16_000,
  }),
  {
    name: 'verify, events a second',
    bar: { atLeast: 30_000 },
    before: null,
    read: (results) => {
      const figures = verified(results);
      return figures && figures.events / figures.wallSeconds;
    },
  },
  {
    name: 'verify, memory (MB)',
    bar: { atMost: 500 },
    before: null,
    read: (results) => verified(results)?.megabytes,
  },
  {
    name: 'usage log at ten million rows, the slowest page, p99 (ms)',
    bar: { atMost: 20 },
    before: 11.8,
    read: ({ log }) => worstOf(Object.values(log.results[1] ?? {}).map(({ p99 }) => p99)),
  },
  {
    name: 'the same against one million rows, p99 (×)',
    bar: { atMost: 1.3 },
    before: 2.29,
    read: ({ log: { results } }) => {
      const [small = {}, large = {}] = results;
      return worstOf(
        Object.entries(large).map(([page, { p99 }]) => {
          const base = small[page]?.p99;
          return base === undefined ? undefined : p99 / base;
        }),
      );
    },
  },
  {
    name: 'feed, from a change to its effect at the relay, p99 (ms)',
    bar: { atMost: 100 },
    before: 43,
    read: ({ feed }) => worstOf(feed.rows.map(({ p99 }) => p99)),
  },
  {
    name: 'relay of 100,000 tokens and 1,000 channels: ready after (ms)',
    bar: { atMost: 3_000 },
    before: null,
    read: ({ scale }) => scale.readyMs,
  },
  {
    name: 'the same, memory (MB)',
    bar: { atMost: 300 },
    before: null,
    read: ({ scale }) => scale.readyMb,
  },
];

export const isMet = ({ bar }: Measure, figure: number): boolean =>
  'atMost' in bar ? figure <= bar.atMost : figure >= bar.atLeast;
