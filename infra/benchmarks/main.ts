/*
 * `npm run bench NAME [options]`; README.md has the names. What follows the name goes to the benchmark. Those that measure
 * code of the product in their own process run from the build and with the flags of `npm start`.
 */
import { spawnSync } from 'node:child_process';

const runsFromBuild = {
  settlement: true,
  verify: true,
  scale: true,
  relay: false,
  tree: false,
  log: false,
};
const [name = ''] = process.argv.splice(2, 1);

const isBenchmark = (text: string): text is keyof typeof runsFromBuild => text in runsFromBuild;
if (!isBenchmark(name)) {
  console.error(
    `npm run bench NAME, with one of these names: ${Object.keys(runsFromBuild).join(', ')}`,
  );
  process.exit(1);
}
if (runsFromBuild[name]) {
  const flags = ['--enable-source-maps', '--min-semi-space-size=32', '--max-semi-space-size=32'];
  const start = ['infra/tooling/start.mjs', `../benchmarks/${name}-bench`];
  const { status } = spawnSync(process.execPath, [...flags, ...start, ...process.argv.slice(2)], {
    stdio: 'inherit',
  });
  process.exit(status ?? 1);
}
await import(`./${name}-bench.ts`);
