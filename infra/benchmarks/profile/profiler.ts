/*
 * `PROFILE=1` before a benchmark: while it measures, the main thread of every Node process of the product is sampled.
 * Prints whose code took the CPU, and leaves `bench-results/profiles/shares.json` and a `.cpuprofile` of each process, which
 * the developer tools of Chromium open. The figures of such a run are those of a slower product.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { treeOf } from '../../../tests/support/processes.ts';
import { eventually } from '../../../tests/support/product.ts';
import { partOf } from '../tree.ts';
import { type Shares, sharesOf } from './shares.ts';

export const isProfiling = process.env.PROFILE === '1';

const folder = resolve('bench-results/profiles');
const sharesFile = join(folder, 'shares.json');
const shown = 12;

/** For the environment of processes that are to be profiled. */
export const profilerEnv = (): Readonly<Record<string, string>> => {
  if (!isProfiling) return {};
  const preload = pathToFileURL('infra/benchmarks/profile/preload.mjs');
  preload.searchParams.set('folder', folder);
  mkdirSync(folder, { recursive: true });
  return { NODE_OPTIONS: `--import ${preload}` };
};

/** At the start of a benchmark: profiles of the one before go. */
export const openProfiles = (): void => {
  if (!isProfiling) return;
  rmSync(folder, { recursive: true, force: true });
};

type Profiled = Readonly<{ name: string; process: string }> & Shares;

const lines = (url: string): readonly string[] => {
  try {
    return readFileSync(url.startsWith('file:') ? fileURLToPath(url) : url, 'utf8').split('\n');
  } catch {
    return [];
  }
};

const print = ({ name, process: part, cpuMs, owners, functions }: Profiled): void => {
  const row = ({ name: what, percent }: Shares['owners'][number]): string =>
    `${percent.toFixed(1).padStart(6)} %  ${what}`;
  console.log(`\n${name}, ${part}: ${Math.round(cpuMs)} ms of CPU`);
  for (const owner of owners.slice(0, shown)) console.log(row(owner));
  console.log('        functions by themselves');
  for (const one of functions.slice(0, shown)) console.log(row(one));
};

const keep = async (name: string, pid: number, part: string): Promise<void> => {
  const written = join(folder, `${pid}.cpuprofile`);
  const profile = await eventually(async () => JSON.parse(readFileSync(written, 'utf8')));
  const shares = sharesOf(profile, lines);
  renameSync(written, join(folder, `${name}, ${part}.cpuprofile`.replaceAll('/', ' a ')));
  const profiled: Profiled = { name, process: part, ...shares };
  print(profiled);
  const before = existsSync(sharesFile) ? JSON.parse(readFileSync(sharesFile, 'utf8')) : [];
  writeFileSync(sharesFile, JSON.stringify([...before, profiled], null, 2));
};

/** `work`, with profiles of all Node processes below `root` that have the profiler. */
export const profiled = async <Result>(
  name: string,
  root: number,
  work: () => Promise<Result>,
): Promise<Result> => {
  if (!isProfiling) return work();
  const pids = treeOf(root).filter((pid) => existsSync(join(folder, `${pid}.on`)));
  const toggle = (): void => {
    for (const pid of pids) process.kill(pid, 'SIGUSR2');
  };
  toggle();
  const result = await work().finally(toggle);
  for (const pid of pids) await keep(name, pid, partOf(pid));
  return result;
};
