import { availableParallelism } from 'node:os';
import type { Logger } from '../ports/logger.ts';
import type { Metrics } from '../ports/metrics.ts';
import type { Workers } from '../ports/workers.ts';
import { JobQueue } from './job-queue.ts';

export type WorkersSettings = Readonly<{
  /** The module that the threads run; see `serve-jobs.ts`. */
  filename: string;
  logger: Logger;
  metrics: Metrics;
  /** Threads for large jobs; by the number of cores when absent. */
  threads?: number;
  /** How long a job may wait and run, in milliseconds; 30 s and 60 s when absent. */
  timeoutMs?: number;
  /** Jobs begun and waiting, of all callers and of one. */
  maxJobs?: number;
  maxJobsOfOwner?: number;
}>;

/** Up to here a job is small: some ten milliseconds of work. */
const smallBytes = 65_536;
const maxThreads = 4;
const smallTimeoutMs = 30_000;
const largeTimeoutMs = 60_000;
const maxHeldBytes = 268_435_456;
/** So that bodies of one caller leave room for those of others. */
const maxHeldBytesOfOwner = (maxHeldBytes * 3) / 4;

/** One thread for small jobs, all cores but one for large ones: neither waits for the other. */
export const createWorkers = (settings: WorkersSettings): Workers => {
  const { filename, logger, metrics } = settings;
  const timeoutMs = settings.timeoutMs ?? smallTimeoutMs;
  const small = new JobQueue({
    name: 'small',
    filename,
    threads: 1,
    jobsPerThread: 4,
    maxJobs: 4_096,
    maxJobsOfOwner: 512,
    maxBytes: maxHeldBytes,
    maxBytesOfOwner: maxHeldBytesOfOwner,
    timeoutMs,
    maxHeapMb: 256,
    nice: 0,
    logger,
  });
  const large = new JobQueue({
    name: 'large',
    filename,
    threads: settings.threads ?? Math.min(maxThreads, Math.max(1, availableParallelism() - 1)),
    jobsPerThread: 2,
    maxJobs: settings.maxJobs ?? 1_024,
    maxJobsOfOwner: settings.maxJobsOfOwner ?? 256,
    maxBytes: maxHeldBytes,
    maxBytesOfOwner: maxHeldBytesOfOwner,
    timeoutMs: settings.timeoutMs ?? largeTimeoutMs,
    maxHeapMb: 1_024,
    nice: 10,
    logger,
  });
  const jobs = metrics.counter({
    name: 'tollgate_worker_jobs_total',
    help: 'Jobs of worker threads, by how they ended',
    labels: ['job', 'outcome'],
  });
  const waiting = metrics.gauge({
    name: 'tollgate_worker_jobs',
    help: 'Jobs of worker threads, begun and waiting',
    labels: ['lane'],
  });
  const shown = (): void => {
    waiting.set(small.waiting, { lane: 'small' });
    waiting.set(large.waiting, { lane: 'large' });
  };
  return {
    run: async <T>(job: string, input: unknown, options: Parameters<Workers['run']>[2]) => {
      const queue = options.bytes <= smallBytes ? small : large;
      let outcome = 'failed';
      try {
        const running = queue.run<T>({ job, input }, options);
        shown();
        const result = await running;
        outcome = result.kind === 'done' ? 'done' : result.reason;
        return result;
      } finally {
        jobs.inc(1, { job, outcome });
        shown();
      }
    },
    close: async () => {
      await Promise.all([small.close(), large.close()]);
    },
  };
};
