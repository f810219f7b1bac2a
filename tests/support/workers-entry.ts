/* The module that the threads of `workers.unit.spec.ts` run. */
import { threadId } from 'node:worker_threads';
import { serveJobs } from '../../infra/workers/serve-jobs.ts';

const spin = (ms: number): void => {
  const until = performance.now() + ms;
  while (performance.now() < until);
};

export const work = serveJobs({
  double: ({ value }: { value: number }) => value * 2,
  fail: ({ message }: { message: string }) => {
    throw new RangeError(message);
  },
  spin: ({ ms }: { ms: number }) => {
    spin(ms);
    return threadId;
  },
  /** Ends its thread the first time, and answers the second. */
  endOnce: ({ shared }: { shared: Int32Array }) => {
    if (Atomics.add(shared, 0, 1) === 0) process.exit(3);
    return 'done';
  },
  endAlways: () => process.exit(3),
  fill: () => {
    const kept: unknown[] = [];
    for (;;) kept.push(Array.from({ length: 100_000 }, () => ({ at: kept.length })));
  },
  wait: ({ ms }: { ms: number }) => new Promise((resolve) => setTimeout(resolve, ms, 'waited')),
});
