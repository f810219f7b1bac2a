import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { setApart } from './cores.ts';
import { cpuMicros, cpuOfTree, spent } from './cpu.ts';
import { median, openPool, type Shape, saturate, shapes } from './load.ts';
import { type Middle, openPlant, openSiteOf, type ProductTools } from './plant.ts';

/** Short rounds that take turns: what else the machine does hits all of them alike. */
const rounds = 31;
const warmUps = 10;
const width = 32;
const afterworkMs = 60;

const names = ['bare', 'other', 'own'] as const;
type Name = (typeof names)[number];

/** Microseconds of CPU a call: of the process that is called, and of all processes of the product. */
type Sample = Readonly<{ micros: number; allMicros: number }>;

export type VersionsRow = Readonly<{
  shape: string;
  micros: Readonly<Record<Name, number>>;
  allMicros: Readonly<Record<'other' | 'own', number>>;
  /** Medians over the rounds. */
  ownByOther: number;
  allOwnByOther: number;
  otherByBare: number;
  ownByBare: number;
}>;

const round = async (middle: Middle, { body, perRound }: Shape): Promise<Sample> => {
  const tree = cpuOfTree(middle.pid);
  const before = cpuMicros(middle.pid);
  await saturate({ pool: middle.pool, target: middle, body }, { count: perRound, width });
  await new Promise((done) => setTimeout(done, afterworkMs));
  const micros = (cpuMicros(middle.pid) - before) / perRound;
  return { micros, allMicros: spent(tree, cpuOfTree(middle.pid)) / perRound };
};

const measure = async (
  middles: Readonly<Record<Name, Middle>>,
  shape: Shape,
): Promise<VersionsRow> => {
  const samples: Record<Name, Sample[]> = { bare: [], other: [], own: [] };
  for (let i = 0; i < rounds; i += 1) {
    // Each goes first in turn, so that none always follows the same other.
    const first = i % names.length;
    for (const name of [...names.slice(first), ...names.slice(0, first)]) {
      samples[name].push(await round(middles[name], shape));
    }
  }
  const of = (name: Name, read: (sample: Sample) => number): number =>
    median(samples[name].map(read));
  const ratio = (above: Name, below: Name, read: (sample: Sample) => number): number =>
    median(
      samples[above].map((sample, i) => {
        const other = samples[below][i];
        return other === undefined ? Number.NaN : read(sample) / read(other);
      }),
    );
  const gateway = ({ micros }: Sample): number => micros;
  const all = ({ allMicros }: Sample): number => allMicros;
  return {
    shape: shape.name,
    micros: { bare: of('bare', gateway), other: of('other', gateway), own: of('own', gateway) },
    allMicros: { other: of('other', all), own: of('own', all) },
    ownByOther: ratio('own', 'other', gateway),
    allOwnByOther: ratio('own', 'other', all),
    otherByBare: ratio('other', 'bare', gateway),
    ownByBare: ratio('own', 'bare', gateway),
  };
};

/**
 * The relay of this checkout and that of another one, by turns in one run, before one provider and beside one
 * bare proxy. The other one starts by its own tools, and has its packages installed. `only`: names of shapes.
 */
export const benchVersions = async (
  checkout: string,
  only: readonly string[],
): Promise<VersionsRow[]> => {
  const tools: ProductTools = await import(
    String(pathToFileURL(resolve(checkout, 'tests/support/product.ts')))
  );
  const plant = await openPlant();
  const other = await tools.startProduct({ env: { LOG_LEVEL: 'warn' } });
  const { bare, relay: own, upstream } = plant.middlesOf({});
  const key = await openSiteOf(other, { plain: upstream.url, overTls: upstream.url });
  const target = { name: 'the other checkout', url: other.url, key };
  const middles = { bare, other: { ...target, pool: openPool(target), pid: other.pid }, own };
  const shareCores = setApart([...plant.gateways, other.pid]);
  try {
    console.log(shareCores === null ? 'gateways share all cores' : 'gateways alone on one core');
    const wanted = shapes.filter(
      ({ name, overTls }) => overTls !== true && (only.length === 0 || only.includes(name)),
    );
    for (let i = 0; i < warmUps; i += 1) {
      for (const shape of wanted) for (const name of names) await round(middles[name], shape);
    }
    const rows: VersionsRow[] = [];
    for (const shape of wanted) {
      const row = await measure(middles, shape);
      console.log(`${shape.name}: ${row.ownByOther.toFixed(2)}× the CPU of the other checkout`);
      rows.push(row);
    }
    return rows;
  } finally {
    await middles.other.pool.destroy();
    await other.stop();
    tools.removeData(other);
    await plant.stop();
    shareCores?.();
  }
};
