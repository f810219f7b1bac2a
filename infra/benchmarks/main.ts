/*
 * `npm run bench [relay|ledger] [part of a row's name]`: speed as ratios within one run. Prints tables and writes
 * `bench-results/latest.json`. `npm run bench tree [seconds at each rate]`: what a call costs in all processes.
 * `npm run bench in-flight [streams]`: what calls that wait for their provider cost, and what others pay for them;
 * `bench-results/in-flight.json`. `npm run bench versions CHECKOUT [part of a row's name]`: the relay beside that of another
 * checkout; `bench-results/versions.json`.
 */
import { fork } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { benchInFlight, printInFlight } from './in-flight-bench.ts';
import type { LedgerRow } from './ledger-bench.ts';
import { openProfiles, profilerEnv } from './profile/profiler.ts';
import { benchRelay, type RelayRow } from './relay-bench.ts';
import { benchTree } from './tree-bench.ts';
import { reportTree } from './tree-report.ts';
import { benchVersions, type VersionsRow } from './versions-bench.ts';

const wanted = process.argv[2] ?? 'all';
openProfiles();
const oneDecimal = (value: number): string => value.toFixed(1);
const ratio = (value: number): string => `${value.toFixed(2)}×`;

const printRelay = (rows: readonly RelayRow[]): void => {
  console.table(
    Object.fromEntries(
      rows.map((row) => [
        row.shape,
        {
          'req/s upstream': Math.round(row.perSecond.upstream),
          'req/s bare': Math.round(row.perSecond.bare),
          'req/s relay': Math.round(row.perSecond.relay),
          'CPU µs bare': oneDecimal(row.cpuMicros.bare),
          'CPU µs relay': oneDecimal(row.cpuMicros.relay),
          'CPU ratio': ratio(row.cpuRatio),
          'calm ratio': ratio(row.cpuRatioCalm),
          'all processes': ratio(row.cpuRatioAll),
          'added p50 ms': row.addedMs.p50.toFixed(2),
          'added p99 ms': row.addedMs.p99.toFixed(2),
          'over upstream p50': row.aboveUpstreamMs.p50.toFixed(2),
          'over upstream p99': row.aboveUpstreamMs.p99.toFixed(2),
        },
      ]),
    ),
  );
};

const printLedger = (rows: readonly LedgerRow[]): void => {
  console.table(
    Object.fromEntries(
      rows.map(({ name, events, perSecond, cpuMicros, cpuMicrosAll }) => [
        name,
        {
          events,
          'events/s': Math.round(perSecond),
          'CPU µs each': oneDecimal(cpuMicros),
          'all processes': oneDecimal(cpuMicrosAll),
        },
      ]),
    ),
  );
};

const printVersions = (rows: readonly VersionsRow[]): void => {
  console.table(
    Object.fromEntries(
      rows.map(({ shape, micros, allMicros, ...ratios }) => [
        shape,
        {
          'CPU µs bare': oneDecimal(micros.bare),
          'CPU µs other': oneDecimal(micros.other),
          'CPU µs own': oneDecimal(micros.own),
          'other / bare': ratio(ratios.otherByBare),
          'own / bare': ratio(ratios.ownByBare),
          'own / other': ratio(ratios.ownByOther),
          'all µs other': oneDecimal(allMicros.other),
          'all µs own': oneDecimal(allMicros.own),
          'all, own / other': ratio(ratios.allOwnByOther),
        },
      ]),
    ),
  );
};

/** Runs the ledger benchmark as the product runs: from the build, with its flags. */
const benchLedger = (): Promise<LedgerRow[]> =>
  new Promise((resolve, reject) => {
    const child = fork('infra/tooling/start.mjs', ['../benchmarks/ledger-main'], {
      env: { ...process.env, ...profilerEnv() },
      execArgv: ['--enable-source-maps', '--min-semi-space-size=32', '--max-semi-space-size=32'],
    });
    child.once('message', (rows) => resolve(rows as LedgerRow[]));
    child.once('exit', (code) => reject(new Error(`the ledger benchmark ended with ${code}`)));
  });

if (wanted === 'tree') {
  const [, , , seconds] = process.argv;
  reportTree(await benchTree(seconds === undefined ? undefined : Number(seconds)));
  process.exit(0);
}

const writeResult = (name: string, rows: object): void => {
  mkdirSync('bench-results', { recursive: true });
  const result = { at: new Date().toISOString(), node: process.version, ...rows };
  writeFileSync(`bench-results/${name}.json`, JSON.stringify(result, null, 2));
};

if (wanted === 'in-flight') {
  const [, , , streams] = process.argv;
  const rows = await benchInFlight(streams === undefined ? undefined : Number(streams));
  printInFlight(rows);
  writeResult('in-flight', { rows });
  process.exit(rows.every(({ inFlight, answered }) => answered === inFlight) ? 0 : 1);
}

if (wanted === 'versions') {
  const [, , , checkout, only] = process.argv;
  if (checkout === undefined) throw new Error('npm run bench versions CHECKOUT [name of a row]');
  const rows = await benchVersions(checkout, only);
  printVersions(rows);
  writeResult('versions', { checkout, rows });
  process.exit(0);
}

const relay = wanted === 'ledger' ? [] : await benchRelay(process.argv[3]);
if (relay.length > 0) printRelay(relay);
const ledger = wanted === 'relay' ? [] : await benchLedger();
if (ledger.length > 0) printLedger(ledger);

writeResult('latest', { relay, ledger });
process.exit(0);
