/*
 * `npm run bench:measures [file …]`: every benchmark that a measure of the product needs, or those that write these files,
 * one after another on an idle machine, then each measure beside its bar and the runs before. Takes some thirty minutes,
 * fifteen without `log`. Keeps all runs in `bench-results/measures.json`. Fails when a benchmark failed; a bar that is
 * missed is said, and is no failure.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMet, measures, type Results } from './measure-list.ts';

const folder = 'bench-results';
const kept = join(folder, 'measures.json');

/** The file that each leaves behind, and the script that writes it. */
const scripts: readonly Readonly<{ file: keyof Results; script: readonly string[] }>[] = [
  { file: 'latest', script: ['bench'] },
  { file: 'tree', script: ['bench', 'tree'] },
  { file: 'feed', script: ['bench:feed'] },
  { file: 'scale', script: ['bench:scale'] },
  { file: 'verify', script: ['bench:verify'] },
  { file: 'log', script: ['bench:log'] },
];

/** By the name of the measure; null where it was not measured. */
type Run = Readonly<{ at: string; node: string; figures: Readonly<Record<string, number | null>> }>;

const readJson = (path: string): unknown => {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return null;
  }
};

/** What one benchmark wrote in this run, or null. */
const runBenchmark = async (
  file: keyof Results,
  [script = '', ...args]: readonly string[],
): Promise<unknown> => {
  const path = join(folder, `${file}.json`);
  rmSync(path, { force: true });
  const begun = performance.now();
  console.log(`\n${script} ${args.join(' ')}`);
  const child = spawn('npm', ['run', '--silent', script, '--', ...args], { stdio: 'inherit' });
  const [status] = await once(child, 'exit');
  const seconds = Math.round((performance.now() - begun) / 1_000);
  console.log(`${script} ended with ${status} after ${seconds} s`);
  return readJson(path);
};

const asked = process.argv.slice(2);
const files = scripts.map(({ file }): string => file);
const unknown = asked.filter((name) => !files.includes(name));
if (unknown.length > 0) {
  console.error(`No benchmark writes ${unknown.join(', ')}; there are ${files.join(', ')}`);
  process.exit(1);
}
const wanted = scripts.filter(({ file }) => asked.length === 0 || asked.includes(file));
const results: Record<string, unknown> = {};
for (const { file, script } of wanted) results[file] = await runBenchmark(file, script);
const missing = wanted.filter(({ file }) => results[file] === null).map(({ file }) => file);
const isWhole = wanted.length === scripts.length && missing.length === 0;

/** Undefined also where its benchmark wrote nothing. */
const figureOf = ({ read }: (typeof measures)[number]): number | undefined => {
  try {
    return read(results as unknown as Results);
  } catch (error) {
    if (!isWhole) return undefined;
    throw error;
  }
};

const before = (readJson(kept) ?? []) as readonly Run[];
const now: Run = {
  at: new Date().toISOString(),
  node: process.version,
  figures: Object.fromEntries(
    measures.map((measure) => [measure.name, figureOf(measure) ?? null] as const),
  ),
};
mkdirSync(folder, { recursive: true });
writeFileSync(kept, JSON.stringify([...before, now], null, 2));

const digits = (value: number | null | undefined): string => {
  if (value == null) return '–';
  return Math.abs(value) >= 100 ? value.toFixed(0) : value.toFixed(2);
};
const table = measures.map((measure) => {
  const { name, bar } = measure;
  const figure = now.figures[name] ?? null;
  return [
    name,
    {
      bar: 'atMost' in bar ? `≤ ${bar.atMost}` : `≥ ${bar.atLeast}`,
      'before decision 0023': digits(measure.before),
      ...Object.fromEntries(
        before.slice(-2).map(({ at, figures }) => [at.slice(0, 16), digits(figures[name])]),
      ),
      now: digits(figure),
      met: figure === null ? 'not measured' : isMet(measure, figure) ? 'yes' : 'missed',
    },
  ];
});
console.table(Object.fromEntries(table));
if (missing.length > 0) console.error(`No result: ${missing.join(', ')}`);
process.exit(missing.length > 0 ? 1 : 0);
