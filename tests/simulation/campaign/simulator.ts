import { type ForkOptions, fork } from 'node:child_process';
import type { History } from '../history.ts';
import type { Profile } from '../nemesis/profile.ts';
import type { ViolationKind } from '../oracle/violations.ts';
import type { Answer, HistoryResult, SeedsResult, Task } from './protocol.ts';

/** A bundled simulator in a separate process; one task at a time. */
export interface Simulator {
  seeds(from: number, count: number, profile: Profile): Promise<SeedsResult>;
  generate(seed: number, profile: Profile): Promise<History>;
  run(history: History, options?: Readonly<{ isTraced: boolean }>): Promise<HistoryResult>;
  /** The shortest history found that shows the same violation. */
  shrink(history: History, violation: ViolationKind): Promise<History>;
  stop(): Promise<void>;
}

/** Histories are short-lived, and what a scavenge finds alive costs. */
const options: ForkOptions = {
  execArgv: ['--enable-source-maps', '--max-semi-space-size=64'],
  serialization: 'advanced',
};

export const openSimulator = (bundlePath: string): Simulator => {
  const worker = fork(bundlePath, options);
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  let busy: Promise<unknown> = Promise.resolve();
  const perform = (task: Task): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const settle = (finish: () => void): void => {
        worker.off('exit', fail);
        worker.off('message', done);
        finish();
      };
      const fail = (): void => settle(() => reject(new Error('the simulator ended in a task')));
      const done = (answer: unknown): void => settle(() => resolve(answer as Answer));
      worker.on('exit', fail);
      worker.on('message', done);
      worker.send(task, (error) => {
        if (error !== null) settle(() => reject(error));
      });
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
    stop: () => {
      worker.kill();
      return ended;
    },
  };
};
