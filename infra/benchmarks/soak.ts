/*
 * `npm run soak [minutes]`: an hour of mixed calls, and what each part of the product keeps in memory meanwhile.
 * Writes `bench-results/soak.json` and `soak.svg`; ends with 1 where the last quarter holds more than the second, or
 * more than one second in ten thousand had a call that failed.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { median, type Shape, shapes, startAndLeave, steady } from './load.ts';
import { openPlant, type Plant } from './plant.ts';
import { curveOf } from './soak-chart.ts';
import { residentMbByPart, type TreePart } from './tree.ts';

const defaultMinutes = 60;
const perSecond = 50;
/** Callers that leave in the middle of a stream, in each second. */
const leaving = 3;
const sampleMs = 10_000;
/** Memory moves with garbage collection; more than this is growth. */
const maxGrowth = 1.1;
const maxFailedShare = 1 / 10_000;

export type SoakSample = Readonly<{
  minute: number;
  residentMb: Readonly<Record<TreePart, number>>;
  all: number;
}>;

/** Of a hundred calls: how many have which shape. */
const mix: readonly (readonly [name: string, share: number])[] = [
  ['1 KB chat', 60],
  ['16 KB chat', 14],
  ['36-event stream', 15],
  ['36-event stream of Anthropic, translated', 6],
  ['256 KB chat', 1],
  ['1 KB chat, upstream over TLS', 4],
];

const shapeOf = (name: string): Shape => {
  const shape = shapes.find((each) => each.name === name);
  if (shape === undefined) throw new Error(`no shape is called ${name}`);
  return shape;
};

/** One second of the mix; shares below one call come in some seconds only. */
const oneSecond = async (plant: Plant, second: number): Promise<void> => {
  const flows = mix.map(async ([name, share]) => {
    const shape = shapeOf(name);
    const until = (n: number): number => Math.floor((n * share * perSecond) / 100);
    const count = until(second + 1) - until(second);
    const target = plant.middlesOf(shape).relay;
    const flow = { pool: target.pool, target, body: shape.body };
    if (count > 0) await steady(flow, { perSecond: count, count });
  });
  const stream = shapeOf('36-event stream');
  const { relay } = plant.middlesOf(stream);
  const left = Array.from({ length: leaving }, () =>
    startAndLeave({ pool: relay.pool, target: relay, body: stream.body }),
  );
  await Promise.all([...flows, ...left, sleep(1_000)]);
};

const sampled = (plant: Plant, begun: number): SoakSample => {
  const residentMb = residentMbByPart(plant.product.pid);
  const all = Object.values(residentMb).reduce((sum, mb) => sum + mb, 0);
  return { minute: (performance.now() - begun) / 60_000, residentMb, all };
};

const quarter = (samples: readonly SoakSample[], nth: number): number => {
  const size = samples.length / 4;
  return median(
    samples.slice(Math.floor(nth * size), Math.floor((nth + 1) * size)).map(({ all }) => all),
  );
};

type Soaked = Readonly<{ samples: readonly SoakSample[]; seconds: number; failedSeconds: number }>;

const run = async (minutes: number): Promise<Soaked> => {
  const plant = await openPlant();
  const samples: SoakSample[] = [];
  let [second, failedSeconds] = [0, 0];
  try {
    const begun = performance.now();
    let sampleAt = begun + sampleMs;
    for (; performance.now() < begun + minutes * 60_000; second += 1) {
      try {
        await oneSecond(plant, second);
      } catch (error) {
        failedSeconds += 1;
        console.log(`second ${second}: ${error instanceof Error ? error.message : error}`);
      }
      if (performance.now() < sampleAt) continue;
      sampleAt += sampleMs;
      const sample = sampled(plant, begun);
      samples.push(sample);
      console.log(`minute ${sample.minute.toFixed(1)}: ${Math.round(sample.all)} MB`);
    }
    return { samples, seconds: second, failedSeconds };
  } finally {
    await plant.stop();
  }
};

const { samples, seconds, failedSeconds } = await run(Number(process.argv[2] ?? defaultMinutes));
const growth = quarter(samples, 3) / quarter(samples, 1);
mkdirSync('bench-results', { recursive: true });
const of = { at: new Date().toISOString(), node: process.version, perSecond };
const result = { ...of, growth, seconds, failedSeconds, samples };
writeFileSync('bench-results/soak.json', JSON.stringify(result, null, 2));
writeFileSync('bench-results/soak.svg', curveOf(samples));
console.log(`the last quarter holds ${growth.toFixed(2)} times what the second held`);
console.log(`${failedSeconds} of ${seconds} seconds had a call that failed`);
process.exit(growth > maxGrowth || failedSeconds > seconds * maxFailedShare ? 1 : 0);
