import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { UserId } from '../../domain/shared/ids.ts';
import type { Bus } from '../../infra/ports/bus.ts';
import type { Clock } from '../../infra/ports/clock.ts';
import type { Logger } from '../../infra/ports/logger.ts';
import type { Timers } from '../../infra/ports/timers.ts';
import type { Job, JobFigures } from './job.ts';
import { type Begun, createJobBook, type JobPage, type Outcome } from './job-book.ts';
import { type JobLease, leaseSeconds, takeLease } from './job-lease.ts';
import { NewestStarts } from './newest-starts.ts';

export type JobStatus = JobPage &
  Readonly<{
    name: string;
    /** null: runs manually only. */
    everyMs: number | null;
    /** The next start; null: manually only. */
    nextAt: string | null;
  }>;

export interface JobRunner {
  add(jobs: readonly Job[]): void;
  /** The end of the run is not waited for. `running`: somewhere in the cluster, at present. */
  runNow(name: string, askedBy: UserId): Promise<'started' | 'running' | 'unknown'>;
  list(): Promise<readonly JobStatus[]>;
  /** Starts the jobs that are due; resolves when those that run here have ended. */
  lookThrough(): Promise<void>;
  start(): Promise<void>;
  /** Ends runs and waits for them, within a bound. */
  stop(): Promise<void>;
}

type Needs = Readonly<{ bus: Bus; clock: Clock; timers: Timers; logger: Logger }>;
type Started = Readonly<{ done: Promise<void> }>;
type Work = Readonly<{ job: Job; lease: JobLease; run: Begun }>;

const lookEveryMs = 1_000;
/**
 * A job without a recorded run waits this long, so that a start of a process does not trigger
 * everything.
 */
const firstAfterMs = 60_000;
/** An interval is read again after this time: the answer may be in the log. */
const askAgainMs = 15_000;
const keptSeconds = 30 * 86_400;
const stopGraceMs = 5_000;
const maxError = 500;

const lastStart = ({ running, runs }: JobPage): string | undefined =>
  running?.startedAt ?? runs[0]?.startedAt;

/** Runs each job once in a cluster: the process that gets its lease in the bus does the work. */
export const createJobRunner = ({ bus, clock, timers, logger }: Needs): JobRunner => {
  const leases = bus.keyValue('job-lease', { ttlSeconds: leaseSeconds });
  const book = createJobBook(bus.keyValue('job-runs', { ttlSeconds: keptSeconds }));
  const jobs = new Map<string, Job>();
  const running = new Map<string, Promise<void>>();
  const newestStarts = new NewestStarts();
  const intervals = new Map<string, Readonly<{ everyMs: number | null; until: number }>>();
  const beganAt = clock().getTime();
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | null = null;

  const nextAt = (everyMs: number, page: JobPage): number => {
    const last = lastStart(page);
    if (last === undefined) return beganAt + Math.min(everyMs, firstAfterMs);
    return Date.parse(last) + everyMs;
  };
  const intervalOf = async (job: Job): Promise<number | null> => {
    const known = intervals.get(job.name);
    if (known !== undefined && timers.now() < known.until) return known.everyMs;
    const everyMs = await job.everyMs();
    intervals.set(job.name, { everyMs, until: timers.now() + askAgainMs });
    return everyMs;
  };
  const isDue = async (job: Job): Promise<boolean> => {
    const everyMs = await intervalOf(job);
    if (everyMs === null) return false;
    const page = await book.read(job.name);
    const last = lastStart(page);
    const ageMs = last === undefined ? 0 : newestStarts.ageOf(job.name, last, timers.now());
    return nextAt(everyMs, page) <= clock().getTime() || ageMs >= everyMs;
  };

  const work = async ({ job, lease, run }: Work): Promise<void> => {
    const signal = AbortSignal.any([lease.signal, stopping.signal]);
    const end = (outcome: Outcome, figures: JobFigures, error = ''): Promise<void> => {
      const durationMs = Math.max(0, clock().getTime() - Date.parse(run.startedAt));
      return book.end(job.name, { ...run, durationMs, outcome, figures, error });
    };
    const endFailed = async (error: unknown): Promise<void> => {
      if (signal.aborted) return await end('stopped', {});
      logger.error({ job: job.name, error }, 'job failed');
      await end('failed', {}, String(error).slice(0, maxError));
    };
    try {
      const figures = await job.run({ runId: run.runId, signal, isByHand: run.askedBy !== null });
      if (!lease.signal.aborted) await end(signal.aborted ? 'stopped' : 'done', figures);
    } catch (error) {
      if (!lease.signal.aborted) await endFailed(error);
    }
  };

  /** Works in the background, and gives the lease back whatever happens. */
  const start = ({ job, lease, run }: Work): Started => {
    const done = work({ job, lease, run })
      .catch((error: unknown) => logger.error({ job: job.name, error }, 'run not written down'))
      .then(() => lease.release())
      .catch((error: unknown) => logger.warn({ job: job.name, error }, 'lease not given back'))
      .finally(() => running.delete(job.name));
    running.set(job.name, done);
    return { done };
  };

  /** Null: it runs somewhere, or is not due any more because it ran elsewhere just now. */
  const begin = async (job: Job, askedBy: UserId | null): Promise<Started | null> => {
    if (running.has(job.name) || stopping.signal.aborted) return null;
    const runId = randomUUID();
    const lease = await takeLease(leases, job.name, runId);
    if (lease === null) return null;
    try {
      if (askedBy === null && !(await isDue(job))) {
        await lease.release();
        return null;
      }
      const run: Begun = { runId, startedAt: clock().toISOString(), askedBy };
      await book.begin(job.name, run);
      return start({ job, lease, run });
    } catch (error) {
      await lease.release();
      throw error;
    }
  };

  const lookAt = async (job: Job): Promise<void> => {
    try {
      if (running.has(job.name) || !(await isDue(job))) return;
      await (await begin(job, null))?.done;
    } catch (error) {
      logger.warn({ job: job.name, error: String(error) }, 'job could not be started');
    }
  };
  const lookThrough = async (): Promise<void> => {
    await Promise.all([...jobs.values()].map(lookAt));
  };

  const statusOf = async (job: Job): Promise<JobStatus> => {
    const everyMs = await job.everyMs();
    const page = await book.read(job.name);
    const next = everyMs === null ? null : new Date(nextAt(everyMs, page)).toISOString();
    return { ...page, name: job.name, everyMs, nextAt: next };
  };

  return {
    add(more) {
      for (const job of more) {
        if (jobs.has(job.name)) throw new Error(`there are two jobs called ${job.name}`);
        jobs.set(job.name, job);
      }
    },
    async runNow(name, askedBy) {
      const job = jobs.get(name);
      if (!job) return 'unknown';
      return (await begin(job, askedBy)) === null ? 'running' : 'started';
    },
    list: () => Promise.all([...jobs.values()].map(statusOf)),
    lookThrough,
    async start() {
      timer ??= setInterval(() => void lookThrough(), lookEveryMs).unref();
    },
    async stop() {
      if (timer !== null) clearInterval(timer);
      timer = null;
      stopping.abort(new Error('this process stops'));
      await Promise.race([
        Promise.all(running.values()),
        sleep(stopGraceMs, undefined, { ref: false }),
      ]);
    },
  };
};
