import { mkdirSync, writeFileSync } from 'node:fs';
import type { TreeRow } from './tree-bench.ts';
import { chartOf } from './tree-chart.ts';

const digits = (value: number | undefined, count = 2): string => (value ?? 0).toFixed(count);
const pair = (of: Readonly<{ p50: number; p99: number }> | null | undefined): string =>
  of == null ? '' : `${digits(of.p50, 1)} / ${digits(of.p99, 1)}`;

/** Prints the tree's table, and writes `bench-results/tree.json` and `tree.svg`. */
export const reportTree = (rows: readonly TreeRow[]): void => {
  console.log('CPU milliseconds of each call (idle: of each second); latencies p50 / p99 in ms');
  const table = rows.map((row) => [
    row.load,
    {
      ...Object.fromEntries(Object.entries(row.cpuMs).map(([part, ms]) => [part, digits(ms)])),
      all: digits(row.cpuMsAll),
      cores: digits(row.coresUsed),
      'calls/s': Math.round(row.perSecond),
      relay: pair(row.latency?.relay),
      'bare proxy': pair(row.latency?.bare),
      'seen after': pair(row.seen),
      MB: Math.round(row.residentMb),
    },
  ]);
  console.table(Object.fromEntries(table));
  mkdirSync('bench-results', { recursive: true });
  const result = { at: new Date().toISOString(), node: process.version, rows };
  writeFileSync('bench-results/tree.json', JSON.stringify(result, null, 2));
  writeFileSync('bench-results/tree.svg', chartOf(rows));
};
