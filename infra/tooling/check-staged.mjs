#!/usr/bin/env node
/*
 * The `pre-commit` hook: style and imports of the staged files, and types of the project, which the
 * compiler checks again only as far as they changed. Installed by
 * `git config core.hooksPath infra/tooling/hooks`.
 */
import { execFileSync, spawnSync } from 'node:child_process';

const rooms = /^(domain|command-api|projections|relay|console|infra|tests)\/.*\.tsx?$/;
const styled = /\.(tsx?|mjs|cjs|css)$/;

const staged = execFileSync('git', ['diff', '--cached', '--name-only', '--diff-filter=ACMR', '-z'])
  .toString()
  .split('\0')
  .filter((path) => path !== '');

const run = (name, args) => {
  const { status } = spawnSync(process.execPath, [`node_modules/${name}`, ...args], {
    stdio: 'inherit',
  });
  if (status !== 0) process.exitCode = 1;
};

const toStyle = staged.filter((path) => styled.test(path));
const modules = staged.filter((path) => rooms.test(path));
if (toStyle.length > 0) {
  run('@biomejs/biome/bin/biome', [
    'check',
    '--config-path=infra/tooling/lint.json',
    '--error-on-warnings',
    '--no-errors-on-unmatched',
    ...toStyle,
  ]);
}
if (modules.length > 0) {
  run('dependency-cruiser/bin/dependency-cruise.mjs', [
    '--config',
    'infra/tooling/dependency-cruiser.cjs',
    '--output-type',
    'err',
    ...modules,
  ]);
  run('typescript-native/bin/tsc', ['-p', 'tsconfig.json']);
  if (modules.some((path) => path.startsWith('domain/'))) {
    run('typescript-native/bin/tsc', ['-p', 'domain/tsconfig.json']);
  }
}
