import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Product } from '../../tests/support/product.ts';
import { setApart } from './cores.ts';
import { median, openPool, type Shape } from './load.ts';
import { type Middle, openPlant, openSiteOf, type Plant, type ProductTools } from './plant.ts';
import { round, rounds, type Sample, shapesNamed, warmUps } from './relay-round.ts';

const names = ['bare', 'other', 'own'] as const;
type Name = (typeof names)[number];

export type VersionsRow = Readonly<{
  shape: string;
  /** Of CPU a call: of the process that is called, and of all of the product; medians over the rounds. */
  micros: Readonly<Record<Name, number>>;
  allMicros: Readonly<Record<'other' | 'own', number>>;
  /** Medians over the rounds, too. */
  ownByOther: number;
  allOwnByOther: number;
  otherByBare: number;
  ownByBare: number;
}>;

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

const compare = async (plant: Plant, product: Product, only: string): Promise<VersionsRow[]> => {
  const { bare, relay: own, upstream } = plant.middlesOf({});
  const key = await openSiteOf(product, { plain: upstream.url, overTls: upstream.url });
  const target = { name: 'the other checkout', url: product.url, key };
  const other = { ...target, pool: openPool(target), pid: product.pid };
  const middles = { bare, other, own };
  const shareCores = setApart([...plant.gateways, product.pid]);
  try {
    console.log(shareCores === null ? 'gateways share all cores' : 'gateways alone on one core');
    const wanted = shapesNamed(only).filter(({ overTls }) => overTls !== true);
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
    shareCores?.();
    await other.pool.destroy();
  }
};

/**
 * The relay of this checkout and that of another one, by turns in one run, before one provider and beside one
 * bare proxy. The other one starts by its own tools, and has its packages installed. `only`: name of a shape, or
 * a part of it; shapes over TLS are left out.
 */
export const benchVersions = async (checkout: string, only = ''): Promise<VersionsRow[]> => {
  const tools: ProductTools = await import(
    String(pathToFileURL(resolve(checkout, 'tests/support/product.ts')))
  );
  const plant = await openPlant();
  try {
    const other = await tools.startProduct({ env: { LOG_LEVEL: 'warn' } });
    try {
      return await compare(plant, other, only);
    } finally {
      await other.stop();
      tools.removeData(other);
    }
  } finally {
    await plant.stop();
  }
};
