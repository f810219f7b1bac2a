/* Runs histories. Bundled with the product, scaled down and patched, by `bundle.ts`. */
import { parentPort } from 'node:worker_threads';
import type { ActionKind, History } from '../history.ts';
import { generate } from '../nemesis/generate.ts';
import { withoutRealTime } from '../world/real-time.ts';
import type { Answer, Failure, HistoryResult, SeedsResult, Task } from './protocol.ts';
import { type Outcome, runHistory, traceHistory } from './run-history.ts';
import { shrink } from './shrink.ts';

const { setImmediate: nextTurn } = globalThis;
const strayed: string[] = [];
process.on('unhandledRejection', (error) => {
  strayed.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
});

const withStrayed = (outcome: Outcome): Outcome => {
  const faults = strayed.map((detail) => ({ kind: 'process-fault' as const, detail }));
  return { ...outcome, violations: [...outcome.violations, ...faults.slice(0, 3)] };
};

/** Node tells of rejections that nobody handled when its queues are empty. */
const settled = async <T>(work: () => Promise<T>): Promise<T> => {
  strayed.length = 0;
  const result = await withoutRealTime(work);
  await new Promise((resolve) => nextTurn(resolve));
  return result;
};

const run = async (history: History): Promise<Outcome> =>
  withStrayed(await settled(() => runHistory(history)));

const addAll = (sums: Record<string, number>, more: Readonly<Record<string, number>>): void => {
  for (const [key, count] of Object.entries(more)) sums[key] = (sums[key] ?? 0) + count;
};

const runSeeds = async (task: Extract<Task, { kind: 'seeds' }>): Promise<SeedsResult> => {
  const failures: Failure[] = [];
  const calls: Record<string, number> = {};
  const actions: Partial<Record<ActionKind, number>> = {};
  let events = 0;
  for (let seed = task.from; seed < task.from + task.count; seed += 1) {
    const history = generate(seed, task.profile);
    const outcome = await run(history);
    events += outcome.events;
    addAll(calls, outcome.calls);
    for (const { kind } of history.actions) actions[kind] = (actions[kind] ?? 0) + 1;
    const told = outcome.violations.filter(({ kind }) => !task.profile.muted.includes(kind));
    if (told.length > 0) failures.push({ seed, violations: told });
  }
  return { histories: task.count, events, calls, actions, failures };
};

const runOne = async (history: History, isTraced: boolean): Promise<HistoryResult> => {
  if (!isTraced) return { ...(await run(history)), trace: null };
  const { outcome, trace } = await settled(() => traceHistory(history));
  return { ...withStrayed(outcome), trace };
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

parentPort?.on('message', async (task: Task) => {
  parentPort?.postMessage(await perform(task));
});
