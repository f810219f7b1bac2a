import { Worker } from 'node:worker_threads';
import type { History } from '../history.ts';
import type { Profile } from '../nemesis/profile.ts';
import type { ViolationKind } from '../oracle/violations.ts';
import type { Answer, HistoryResult, SeedsResult, Task } from './protocol.ts';

/** A bundled simulator on a thread of its own; one task at a time. */
export interface Simulator {
  seeds(from: number, count: number, profile: Profile): Promise<SeedsResult>;
  generate(seed: number, profile: Profile): Promise<History>;
  run(history: History, options?: Readonly<{ isTraced: boolean }>): Promise<HistoryResult>;
  /** The shortest history found that shows the same violation. */
  shrink(history: History, violation: ViolationKind): Promise<History>;
  stop(): Promise<void>;
}

/** Three semi-spaces: histories are short-lived, and what a scavenge finds alive costs. */
const youngGenerationMb = 192;

export const openSimulator = (bundlePath: string): Simulator => {
  const worker = new Worker(bundlePath, {
    resourceLimits: { maxYoungGenerationSizeMb: youngGenerationMb },
  });
  let busy: Promise<unknown> = Promise.resolve();
  const perform = (task: Task): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const settle = (finish: () => void): void => {
        worker.off('error', fail);
        worker.off('message', done);
        finish();
      };
      const fail = (error: unknown): void => settle(() => reject(error));
      const done = (answer: Answer): void => settle(() => resolve(answer));
      worker.on('error', fail);
      worker.on('message', done);
      worker.postMessage(task);
    });
  const ask = <T extends Answer>(task: Task): Promise<T> => {
    const result = busy.then(() => perform(task) as Promise<T>);
    busy = result.catch(() => undefined);
    return result;
  };
  return {
    seeds: (from, count, profile) => ask({ kind: 'seeds', from, count, profile }),
    generate: (seed, profile) => ask({ kind: 'generate', seed, profile }),
    run: (history, options) =>
      ask({ kind: 'history', history, isTraced: options?.isTraced === true }),
    shrink: (history, violation) => ask({ kind: 'shrink', history, violation }),
    stop: async () => void (await worker.terminate()),
  };
};
