import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createVitest } from 'vitest/node';
import { instrument, type Mutant } from './instrument.ts';
import type { Job, Verdict } from './mutation-runner.ts';

const root = new URL('../..', import.meta.url).pathname;

type Outcome = 'killed' | 'survived' | 'timeout' | 'not reached';
export type Judged = Readonly<{ mutant: Mutant; outcome: Outcome; by?: string }>;

type Instrumented = Readonly<{
  mutants: readonly Mutant[];
  sources: ReadonlyMap<string, string>;
}>;

/** All mutants of these files; the position in the list is the number of the switch. */
const instrumentAll = (files: readonly string[]): Instrumented => {
  const mutants: Mutant[] = [];
  const sources = new Map<string, string>();
  for (const file of files) {
    const made = instrument(file, readFileSync(join(root, file), 'utf8'), mutants.length);
    mutants.push(...made.mutants);
    sources.set(join(root, file), made.source);
  }
  return { mutants, sources };
};

/** No verdict for so long: the mutant in hand has no end, and its worker is given up. */
const stalledMs = 60_000;
const lookEveryMs = 5_000;

type Attempt = Readonly<{
  specs: readonly string[];
  sources: ReadonlyMap<string, string>;
  job: string;
  results: string;
}>;

const startVitest = ({ specs, sources, job }: Attempt) =>
  createVitest(
    'test',
    {
      root,
      config: false,
      include: [...specs],
      runner: join(root, 'tests/mutation/mutation-runner.ts'),
      pool: 'forks',
      maxWorkers: 1,
      fileParallelism: false,
      watch: false,
      reporters: [{}],
      silent: true,
      testTimeout: 30_000,
      teardownTimeout: 1_000,
      env: { MUTATION_JOB: job },
    },
    {
      plugins: [
        {
          name: 'mutants',
          enforce: 'pre',
          transform: (_code, id) => sources.get(id.split('?')[0] ?? id) ?? null,
        },
      ],
    },
  );

/** True when no verdict came for a while. */
const stalled = async (results: string, isOver: () => boolean): Promise<boolean> => {
  let size = -1;
  let quietMs = 0;
  while (!isOver()) {
    await pause(lookEveryMs);
    const now = statSync(results).size;
    quietMs = now === size ? quietMs + lookEveryMs : 0;
    size = now;
    if (quietMs >= stalledMs) return true;
  }
  return false;
};

/** A spec that fails without any change notices nothing, and would only lower the score. */
const requireSound = ({ state }: Awaited<ReturnType<typeof startVitest>>): void => {
  const broken = state.getFiles().filter(({ result }) => result?.state === 'fail');
  if (broken.length === 0) return;
  const names = broken.map(
    ({ filepath, result }) => `${filepath}: ${result?.errors?.[0]?.message}`,
  );
  throw new Error(`these specs fail as they are:\n${names.join('\n')}`);
};

/** Runs all specs; again for what is left, when a worker had to be given up. */
const runSpecs = async (attempt: Attempt): Promise<void> => {
  for (let isDone = false; !isDone; ) {
    const vitest = await startVitest(attempt);
    let over = false;
    const run = vitest.start().then(() => {
      over = true;
      return false;
    });
    isDone = !(await Promise.race([run, stalled(attempt.results, () => over)]));
    if (isDone) requireSound(vitest);
    await vitest.close();
  }
};

const readVerdicts = (path: string): ReadonlyMap<number, readonly Verdict[]> => {
  const byId = new Map<number, Verdict[]>();
  for (const line of readFileSync(path, 'utf8').split('\n')) {
    if (line === '') continue;
    const verdict: Verdict = JSON.parse(line);
    byId.set(verdict.id, [...(byId.get(verdict.id) ?? []), verdict]);
  }
  return byId;
};

const judge = (mutant: Mutant, verdicts: readonly Verdict[]): Judged => {
  if (verdicts.length === 0) return { mutant, outcome: 'not reached' };
  const killed = verdicts.find(({ outcome }) => outcome === 'killed');
  if (killed !== undefined) return { mutant, outcome: 'killed', by: killed.by ?? killed.spec };
  const began = verdicts.filter(({ outcome }) => outcome === 'started').length;
  return { mutant, outcome: began * 2 > verdicts.length ? 'timeout' : 'survived' };
};

type Session = Readonly<{
  files: readonly string[];
  specs: readonly string[];
  /** Numbers of the mutants that are tried. */
  choose: (mutants: readonly Mutant[]) => readonly number[];
}>;

/** Tries mutants of `files` against `specs`, one at a time in one worker. */
export const trySession = async ({ files, specs, choose }: Session): Promise<readonly Judged[]> => {
  const { mutants, sources } = instrumentAll(files);
  const folder = mkdtempSync(join(tmpdir(), 'mutation-'));
  const results = join(folder, 'results.jsonl');
  const job = join(folder, 'job.json');
  const ids = choose(mutants);
  writeFileSync(job, JSON.stringify({ ids, results } satisfies Job));
  writeFileSync(results, '');
  try {
    await runSpecs({ specs, sources, job, results });
    const verdicts = readVerdicts(results);
    return ids.flatMap((id) => {
      const mutant = mutants[id];
      return mutant === undefined ? [] : [judge(mutant, verdicts.get(id) ?? [])];
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
