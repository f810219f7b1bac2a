/*
 * Bundles the processes into `.cache/server-<hash>`: they start faster than from TypeScript, and
 * functions carry no helpers of a loader. Packages stay where they are. Done once for each state of
 * the sources; newer Nodes run the same sources as they are.
 */
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';

const root = new URL('../..', import.meta.url).pathname;
const rooms = ['domain', 'command-api', 'projections', 'relay', 'infra'];
const entries = [
  'infra/processes/all-in-one.ts',
  'infra/processes/control.ts',
  'infra/processes/command-api.ts',
  'infra/processes/projections.ts',
  'infra/processes/relay.ts',
  'infra/processes/relay-worker.ts',
  'infra/processes/verify.ts',
  'infra/processes/projections-cli.ts',
  'infra/processes/keys-cli.ts',
  'infra/processes/second-factor-cli.ts',
  'infra/processes/scavenge.ts',
  'infra/processes/backup.ts',
  'infra/processes/restore.ts',
  'infra/processes/event-store.ts',
  'infra/embedded/event-store/main.ts',
];
/** Measured from a build too, with what they take from the tests; the product does without. */
const benchmarks = [
  'infra/benchmarks/settlement-bench.ts',
  'infra/benchmarks/verify-bench.ts',
  'infra/benchmarks/verify-child.ts',
  'infra/benchmarks/scale-bench.ts',
];

const sourcesBelow = (folder) =>
  readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return entry.name === 'fixtures' ? [] : sourcesBelow(path);
      return /\.(ts|json)$/.test(entry.name) && !/\.spec\.ts$/.test(entry.name) ? [path] : [];
    });

const hashOfSources = (folders) => {
  const hash = createHash('sha256').update(process.versions.node);
  for (const path of [
    join(root, 'package-lock.json'),
    ...folders.flatMap((r) => sourcesBelow(join(root, r))),
  ]) {
    hash.update(path.slice(root.length)).update(readFileSync(path));
  }
  return hash.digest('hex').slice(0, 16);
};

/** Keeps the newest few builds, so that a running product never loses its own. */
const tidy = (cache, kind, keep) => {
  const builds = readdirSync(cache)
    .filter((name) => name.startsWith(`${kind}-`) && name !== keep)
    .map((name) => ({ name, at: statSync(join(cache, name)).mtimeMs }))
    .sort((a, b) => b.at - a.at);
  for (const { name } of builds.slice(4))
    rmSync(join(cache, name), { recursive: true, force: true });
};

/** The folder of the build for the sources as they are now. */
export const buildServer = async ({ withBenchmarks = false } = {}) => {
  const cache = join(root, '.cache');
  const kind = withBenchmarks ? 'bench' : 'server';
  const folders = withBenchmarks ? [...rooms, 'tests/support'] : rooms;
  const wanted = withBenchmarks ? [...entries, ...benchmarks] : entries;
  const name = `${kind}-${hashOfSources(folders)}`;
  const folder = join(cache, name);
  if (existsSync(folder)) return folder;
  mkdirSync(cache, { recursive: true });
  const draft = join(cache, `draft-${process.pid}`);
  const { build, stop } = await import('esbuild');
  await build({
    absWorkingDir: root,
    entryPoints: wanted.filter((entry) => existsSync(join(root, entry))),
    outdir: draft,
    outbase: root,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node26',
    packages: 'external',
    sourcemap: true,
    logLevel: 'error',
  });
  // It would run as long as the product, 20 MB and 2 ms of CPU a second.
  await stop();
  try {
    renameSync(draft, folder);
  } catch (error) {
    // Another process of the same moment was quicker.
    rmSync(draft, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
  tidy(cache, kind, name);
  return folder;
};
