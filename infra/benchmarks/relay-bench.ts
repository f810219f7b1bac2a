/*
 * `npm run bench relay`: the relay of the all-in-one run, a bare proxy, and with `--other` that of another checkout, in short
 * rounds by turns, so that other work on the machine affects all of them alike. Each has the first core to itself.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { setApart } from './cores.ts';
import { cpuMicros, cpuOfTree, spent } from './cpu.ts';
import { applyLoad, type Load, latencyOf, loadsNamed, median } from './load.ts';
import { readOptions } from './options.ts';
import { type Gateway, openPlant, targetOf } from './plant.ts';
import { isProfiling, openProfiles, profiled } from './profile/profiler.ts';
import { digits, ratio, writeResult } from './report.ts';

const saturatedRounds = 31;
const steadyRounds = 5;
/** Rounds before the first is measured, so that the compiler has seen enough of all code. */
const warmUps = 10;
/** Records gather for a moment before they leave the relay: that work belongs to the round too. */
const afterworkMs = 60;

/** Of one call: seconds, and microseconds of CPU of the process that is called and of all of the product. */
type Sample = Readonly<{ seconds: number; micros: number; allMicros: number; ms: number[] }>;

const sampleOf = async (gateway: Gateway, load: Load): Promise<Sample> => {
  const tree = cpuOfTree(gateway.pid);
  const before = cpuMicros(gateway.pid);
  const startedAt = performance.now();
  const ms = await applyLoad(targetOf(gateway, load), load);
  const seconds = (performance.now() - startedAt) / 1_000 / ms.length;
  await sleep(afterworkMs);
  const micros = (cpuMicros(gateway.pid) - before) / ms.length;
  return { seconds, micros, allMicros: spent(tree, cpuOfTree(gateway.pid)) / ms.length, ms };
};

const measure = async (gateways: readonly Gateway[], load: Load) => {
  const samples = gateways.map((): Sample[] => []);
  const rounds = load.perSecond === null ? saturatedRounds : steadyRounds;
  for (let i = 0; i < rounds; i += 1) {
    // Each goes first in turn, so that none always follows the same other.
    for (let turn = 0; turn < gateways.length; turn += 1) {
      const at = (i + turn) % gateways.length;
      const gateway = gateways[at];
      if (gateway !== undefined) samples[at]?.push(await sampleOf(gateway, load));
    }
  }
  const [bare = [], ...others] = samples;
  const other = others[1];
  const ratioTo =
    (below: readonly Sample[] | undefined, of: readonly Sample[]) =>
    (read: (sample: Sample) => number): number | null => {
      if (below === undefined || below === of) return null;
      const ratios = of.flatMap((sample, i) => {
        const base = below[i];
        return base === undefined ? [] : [read(sample) / read(base)];
      });
      return median(ratios);
    };
  const micros = (sample: Sample): number => sample.micros;
  const allMicros = (sample: Sample): number => sample.allMicros;
  return gateways.map(({ name }, at) => {
    const of = samples[at] ?? [];
    const toOther = name === 'own' ? other : undefined;
    return {
      load: load.name,
      gateway: name,
      perSecond: 1 / median(of.map(({ seconds }) => seconds)),
      micros: median(of.map(micros)),
      allMicros: median(of.map(allMicros)),
      /** Medians over the rounds: of the process that is called, and of all processes. */
      byBare: ratioTo(bare, of)(micros),
      allByBare: ratioTo(bare, of)(allMicros),
      byOther: ratioTo(toOther, of)(micros),
      allByOther: ratioTo(toOther, of)(allMicros),
      latency: latencyOf(of.flatMap(({ ms }) => ms)),
    };
  });
};
type Row = Awaited<ReturnType<typeof measure>>[number];

const print = (rows: readonly Row[]): void =>
  console.table(
    Object.fromEntries(
      rows.map((row) => [
        `${row.load}: ${row.gateway}`,
        {
          'calls/s': Math.round(row.perSecond),
          'CPU µs': digits(row.micros, 1),
          'to bare': ratio(row.byBare),
          'to other': ratio(row.byOther),
          'all µs': digits(row.allMicros, 1),
          'all to bare': ratio(row.allByBare),
          'all to other': ratio(row.allByOther),
          'p50 ms': digits(row.latency.p50),
          'p99 ms': digits(row.latency.p99),
        },
      ]),
    ),
  );

const { only, other } = readOptions();
openProfiles();
const plant = await openPlant(other);
const { gateways } = plant;
const loads = loadsNamed(only);
const isApart = setApart(gateways.map(({ pid }) => pid));
const rows: Row[] = [];
try {
  console.log(isApart ? 'gateways alone on one core' : 'gateways share all cores with the rest');
  for (let i = 0; i < warmUps; i += 1) {
    for (const load of loads.filter(({ perSecond }) => perSecond === null)) {
      for (const gateway of gateways) await applyLoad(targetOf(gateway, load), load);
    }
  }
  for (const load of loads) {
    rows.push(...(await measure(gateways, load)));
    print(rows.slice(-gateways.length));
    for (const gateway of isProfiling ? gateways : []) {
      await profiled(`${load.name}, ${gateway.name}`, gateway.pid, async () => {
        await applyLoad(targetOf(gateway, load), load, 5 * load.perRound);
      });
    }
  }
} finally {
  await plant.stop();
}
writeResult('relay', { other, rows });
process.exit(0);
