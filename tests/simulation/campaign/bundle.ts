import { mkdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { applyPatch, type Patch } from '../faults/patch.ts';
import { scale } from '../faults/scale.ts';

const root = new URL('../../..', import.meta.url).pathname;
const output = join(root, '.cache', 'simulation');

/** Replaces texts of product files while they are read; the files themselves stay as they are. */
const patching = (patches: readonly Patch[]): Plugin => {
  const files = new Set(patches.map(({ file }) => file));
  const names = [...files].map((file) => file.replaceAll('.', '\\.'));
  // The other files do not leave the bundler's own process.
  const toPatch = new RegExp(`/(?:${names.join('|')})$`);
  return {
    name: 'patching',
    setup: ({ onLoad, onEnd }) => {
      const applied = new Set<string>();
      onLoad({ filter: toPatch }, ({ path }) => {
        const file = relative(root, path);
        const own = patches.filter((patch) => patch.file === file);
        applied.add(file);
        return { contents: own.reduce(applyPatch, readFileSync(path, 'utf8')), loader: 'ts' };
      });
      onEnd(() => {
        for (const file of files) {
          if (!applied.has(file)) throw new Error(`${file} is no part of the simulated product`);
        }
      });
    },
  };
};

/**
 * Simulator and product in one file, scaled down, with these patches. Answers the path.
 * @throws when a patch does not fit its file any more
 */
export const bundle = async (name: string, patches: readonly Patch[] = []): Promise<string> => {
  mkdirSync(output, { recursive: true });
  const outfile = join(output, `${name}.mjs`);
  await build({
    entryPoints: [join(root, 'tests/simulation/campaign/worker.ts')],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    sourcemap: 'linked',
    logLevel: 'silent',
    plugins: [patching([...scale, ...patches])],
  });
  return outfile;
};
