#!/usr/bin/env node
/*
 * Runs before `npm start` and `npm test`, so that each works as the first command after a clone:
 * installs what is missing, decides which Node the scripts use, and with --console builds the console when
 * its sources have changed. The one script, with those that it imports, that has to run on Node 20.19.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withFileLock } from './file-lock.mjs';
import { linkRuntime } from './runtime.mjs';

const root = new URL('../..', import.meta.url).pathname;
const inRoot = (...parts) => join(root, ...parts);

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Tollgate needs Node 20.19 or newer; this is ${process.versions.node}.`);
  process.exit(1);
}

/** Runs a program to its end. What it writes is shown when it fails, and only then if it is quiet. */
const run = (command, args, { isQuiet = false } = {}) => {
  const output = isQuiet ? 'pipe' : 'inherit';
  const result = spawnSync(command, args, { cwd: root, stdio: ['inherit', output, output] });
  if (result.status === 0) return;
  if (isQuiet) process.stderr.write(`${result.stdout}${result.stderr}`);
  process.exit(result.status ?? 1);
};

const filesBelow = (folder) =>
  readdirSync(folder)
    .filter((name) => !['node_modules', 'dist'].includes(name))
    .sort()
    .flatMap((name) => {
      const path = join(folder, name);
      return statSync(path).isDirectory() ? filesBelow(path) : [path];
    });

const hashOf = (paths) => {
  const hash = createHash('sha256');
  for (const path of paths) hash.update(path.slice(root.length)).update(readFileSync(path));
  return hash.digest('hex');
};

const upToDate = (stamp, hash) => existsSync(stamp) && readFileSync(stamp, 'utf8') === hash;

const install = () => {
  const stamp = inRoot('node_modules', '.tollgate-installed');
  const hash = hashOf([inRoot('package.json'), inRoot('package-lock.json')]);
  if (upToDate(stamp, hash)) return;
  console.log('Installing packages …');
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
  run('npm', ['ci', '--include=dev', '--ignore-scripts', ...quiet]);
  // npm versions differ in whether they obey `allowScripts`, so the named ones are run here.
  const { allowScripts } = JSON.parse(readFileSync(inRoot('package.json'), 'utf8'));
  const named = Object.keys(allowScripts).filter(
    (name) => allowScripts[name] && existsSync(inRoot('node_modules', name)),
  );
  run('npm', ['rebuild', '--ignore-scripts=false', ...quiet, ...named], { isQuiet: true });
  writeFileSync(stamp, hash);
};

const buildConsole = () => {
  const stamp = inRoot('console', 'dist', '.built-from');
  const sources = ['console', 'command-api/contract', 'projections/contract'].map((f) => inRoot(f));
  const hash = hashOf([inRoot('package-lock.json'), ...sources.flatMap(filesBelow)]);
  if (upToDate(stamp, hash)) return;
  console.log('Building the console …');
  const vite = inRoot('node_modules', 'vite', 'bin', 'vite.js');
  run(process.execPath, [vite, 'build', '--config', 'console/vite.config.ts'], { isQuiet: true });
  mkdirSync(inRoot('console', 'dist'), { recursive: true });
  writeFileSync(stamp, hash);
};

const lock = inRoot('.cache', 'installing');
withFileLock(
  lock,
  () => {
    install();
    linkRuntime();
    if (process.argv.includes('--console')) buildConsole();
  },
  (pid) => console.log(`Waiting for process ${pid} to finish installing (lock: ${lock}) …`),
);
