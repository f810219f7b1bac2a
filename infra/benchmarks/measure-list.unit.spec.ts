import { expect, test } from 'vitest';
import { isMet, measures, type Results } from './measure-list.ts';

const rate = (load: string, residentMb: number) => ({
  load,
  cpuMsAll: 1,
  perSecond: 5_000,
  latency: { relay: { p50: 2, p99: 9 }, bare: { p50: 1.5, p99: 4 } },
  seen: { p50: 200, p99: load === '50/s' ? 1_200 : 400 },
  residentMb,
});

const results = {
  latest: {
    relay: [{ shape: '1 KB chat', cpuRatio: 1.31 }],
    ledger: [{ name: 'settlement: charges', perSecond: 15_000 }],
  },
  tree: { rows: [rate('50/s', 400), rate('200/s', 601)] },
  feed: { rows: [{ p99: 40 }, { p99: 70 }] },
  scale: { readyMs: 580, readyMb: 178 },
  verify: {
    results: [
      { events: 10, wallSeconds: 1, megabytes: 100 },
      { events: 90_000, wallSeconds: 2, megabytes: 231 },
    ],
  },
  log: {
    results: [
      { first: { p99: 5 }, last: { p99: 10 } },
      { first: { p99: 8 }, last: { p99: 12 } },
    ],
  },
} as unknown as Results;

const figureOf = (name: string): number | undefined =>
  measures.find((measure) => measure.name === name)?.read(results);

test.each([
  ['relay, CPU against a bare proxy: 1 KB chat (×)', 1.31],
  ['whole tree, added at 200/s, p50 (ms)', 0.5],
  ['whole tree, added at 200/s, p99 (ms)', 5],
  ['whole tree, resident memory under load (MB)', 601],
  ['a charge is seen in log and ledger, p99 (ms)', 1_200],
  ['settlement, charges a second', 15_000],
  ['verify, events a second', 45_000],
  ['verify, memory (MB)', 231],
  ['usage log at ten million rows, the slowest page, p99 (ms)', 12],
  ['the same against one million rows, p99 (×)', 1.6],
  ['feed, from a change to its effect at the relay, p99 (ms)', 70],
])('%s is read from what the benchmarks wrote', (name, figure) => {
  expect(figureOf(name)).toBeCloseTo(figure);
});

test('what no benchmark measured has no figure', () => {
  expect(figureOf('relay, CPU against a bare proxy: 256 KB chat (×)')).toBeUndefined();
  expect(figureOf('build of all projections, events a second')).toBeUndefined();
});

test('a bar is met up to its own value, from either side', () => {
  const verdicts = (name: string, ...figures: number[]) => {
    const measure = measures.find((candidate) => candidate.name === name);
    return measure && figures.map((figure) => isMet(measure, figure));
  };
  expect(verdicts('verify, memory (MB)', 500, 501)).toEqual([true, false]);
  expect(verdicts('verify, events a second', 30_000, 29_999)).toEqual([true, false]);
});

test('no two measures have the same name', () => {
  expect(new Set(measures.map(({ name }) => name)).size).toBe(measures.length);
});
