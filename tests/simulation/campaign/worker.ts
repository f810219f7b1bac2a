/* Runs histories. Bundled with the product, scaled down and patched, by `bundle.ts`. */
import { parentPort } from 'node:worker_threads';
import type { ActionKind, History } from '../history.ts';
import { generate } from '../nemesis/generate.ts';
import { Recorder } from '../trace/recorder.ts';
import { withoutRealTime } from '../world/real-time.ts';
import type { Watcher } from '../world/world.ts';
import type { Answer, Failure, HistoryResult, SeedsResult, Task } from './protocol.ts';
import { type Outcome, runHistory } from './run-history.ts';
import { shrink } from './shrink.ts';

const { setImmediate: nextTurn } = globalThis;
const strayed: string[] = [];
process.on('unhandledRejection', (error) => {
  strayed.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
});

const run = async (history: History, watcher: Watcher | null = null): Promise<Outcome> => {
  strayed.length = 0;
  const outcome = await withoutRealTime(() => runHistory(history, watcher));
  // Node tells of rejections that nobody handled when its queues are empty.
  await new Promise((resolve) => nextTurn(resolve));
  if (strayed.length === 0) return outcome;
  const faults = strayed.map((detail) => ({ kind: 'process-fault' as const, detail }));
  return { ...outcome, violations: [...outcome.violations, ...faults.slice(0, 3)] };
};

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
    if (outcome.violations.length > 0) failures.push({ seed, violations: outcome.violations });
  }
  return { histories: task.count, events, calls, actions, failures };
};

const runOne = async (history: History, isTraced: boolean): Promise<HistoryResult> => {
  const recorder = isTraced ? new Recorder() : null;
  const { violations, fingerprint } = await run(history, recorder);
  const trace = recorder === null ? null : { messages: recorder.messages, notes: recorder.notes };
  return { violations, fingerprint, trace };
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
