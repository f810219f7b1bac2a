/* Runs histories. Bundled with the product, scaled down and patched, by `bundle.ts`. */
import type { History } from '../history.ts';
import { generate } from '../nemesis/generate.ts';
import { withoutRealTime } from '../world/real-time.ts';
import type { Answer, Failure, HistoryResult, SeedsResult, Task } from './protocol.ts';
import { type Outcome, runHistory, traceHistory } from './run-history.ts';
import { shrink } from './shrink.ts';
import { Totals } from './totals.ts';

const { setImmediate: nextTurn } = globalThis;
const strayed: string[] = [];
process.on('unhandledRejection', (error) => {
  strayed.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
});

const withStrayed = (outcome: Outcome): Outcome => {
  const faults = strayed.map((detail) => ({ kind: 'process-fault' as const, detail }));
  return { ...outcome, violations: [...outcome.violations, ...faults.slice(0, 3)] };
};

/** Node reports unhandled rejections when its queues are empty. */
const settled = async <T>(work: () => Promise<T>): Promise<T> => {
  strayed.length = 0;
  const result = await withoutRealTime(work);
  await new Promise((resolve) => nextTurn(resolve));
  return result;
};

const run = async (history: History): Promise<Outcome> =>
  withStrayed(await settled(() => runHistory(history)));

const runSeeds = async (task: Extract<Task, { kind: 'seeds' }>): Promise<SeedsResult> => {
  const failures: Failure[] = [];
  const before = process.cpuUsage();
  const { stackTraceLimit } = Error;
  // Errors are part of every history; a repeated failing one shows their origin.
  Error.stackTraceLimit = 0;
  const totals = new Totals();
  for (let seed = task.from; seed < task.from + task.count; seed += 1) {
    const { calls, actions, events, charges, lastedMs, violations } = await run(
      generate(seed, task.profile),
    );
    totals.add({ sums: { histories: 1, events, charges, lastedMs }, calls, actions });
    const told = violations.filter(({ kind }) => !task.profile.muted.includes(kind));
    if (told.length > 0) failures.push({ seed, violations: told });
  }
  Error.stackTraceLimit = stackTraceLimit;
  const { sums, calls, actions } = totals;
  const { user, system } = process.cpuUsage(before);
  return { counts: { sums, calls, actions }, failures, cpuMs: (user + system) / 1_000 };
};

const runOne = async (history: History, isTraced: boolean): Promise<HistoryResult> => {
  const traced = isTraced ? await settled(() => traceHistory(history)) : null;
  const outcome = traced === null ? await run(history) : withStrayed(traced.outcome);
  const { violations, digest } = outcome;
  return { violations, digest: digest(), trace: traced?.trace ?? null };
};

const perform = (task: Task): Promise<Answer> | Answer => {
  switch (task.kind) {
    case 'seeds':
      return runSeeds(task);
    case 'generate':
      return generate(task.seed, task.profile);
    case 'history':
      return runOne(task.history, task.isTraced);
    case 'shrink':
      return shrink(task.history, task.violation, async (candidate) => {
        const { violations } = await run(candidate);
        return new Set(violations.map(({ kind }) => kind));
      });
  }
};

/**
 * A terminal interrupts the whole group; the requester ends the worker when its answer has arrived.
 */
process.on('SIGINT', () => undefined);
process.on('message', async (task: Task) => {
  process.send?.(await perform(task));
});
