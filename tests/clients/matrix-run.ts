import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { removeData } from '../support/product.ts';
import type { Cell } from './matrix.ts';
import { type Site, startSite } from './site.ts';
import { tableOf } from './table.ts';
import { startUpstreams, type Upstreams } from './upstreams/server.ts';

export type MatrixRun = Readonly<{
  site: Site;
  upstreams: Upstreams;
  /** Cells in the order of their results. */
  cells: Cell[];
  close: () => Promise<void>;
}>;

const folder = new URL('../../.cache/client-matrix', import.meta.url).pathname;

/** A site, its upstreams and a table, which is printed and kept in `.cache/client-matrix` at the end. */
export const startMatrix = async (name: string): Promise<MatrixRun> => {
  const upstreams = await startUpstreams();
  const site = await startSite(upstreams);
  const cells: Cell[] = [];
  return {
    site,
    upstreams,
    cells,
    close: async () => {
      await site.product.stop();
      await upstreams.close();
      removeData(site.product);
      const table = tableOf(cells);
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, `${name}.md`), `${table}\n`);
      process.stdout.write(`\n${table}\n`);
    },
  };
};
