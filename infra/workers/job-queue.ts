import type { MessagePort } from 'node:worker_threads';
import { Piscina } from 'piscina';
import type { Logger } from '../ports/logger.ts';
import type { WorkOptions, WorkResult } from '../ports/workers.ts';

/** What a worker module exports as `work`; see `serve-jobs.ts`. */
export type Task = Readonly<{ job: string; input: unknown; port: MessagePort | null }>;
type Work = Omit<Task, 'port'>;
export type TaskResult =
  | Readonly<{ ok: true; value: unknown }>
  | Readonly<{ ok: false; name: string; message: string; stack: string }>;

/** The module that the threads run, and the data that it starts with. */
export type WorkerEntry = Readonly<{ filename: string; workerData?: unknown }>;

export type JobQueueSettings = Readonly<{
  name: string;
  entry: WorkerEntry;
  threads: number;
  /** Jobs of one thread that may wait for something outside at a time. */
  jobsPerThread: number;
  /** Jobs begun and waiting; more are refused. */
  maxJobs: number;
  /** The same of one owner. */
  maxJobsOfOwner: number;
  /** Bytes that the jobs read. */
  maxBytes: number;
  timeoutMs: number;
  /** Heap of one thread. */
  maxHeapMb: number;
  /** By how much the priority of its threads is lowered; 0: not at all. */
  nice: number;
  logger: Logger;
}>;

const idleMs = 60_000;
const maxYoungMb = 32;

class JobFailed extends Error {
  constructor({ name, message, stack }: Extract<TaskResult, { ok: false }>) {
    super(message);
    this.name = name;
    this.stack = stack;
  }
}

const isMemory = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';

/** The limit that ended a job; null when its thread failed. */
const limitReached = (error: unknown, { aborted }: AbortSignal): 'timeout' | 'memory' | null => {
  if (aborted) return 'timeout';
  return isMemory(error) ? 'memory' : null;
};

/** Threads for jobs of one kind, with a bounded queue before them. They end while there is none. */
export class JobQueue {
  private readonly settings: JobQueueSettings;
  private pool: Piscina;
  private readonly jobsOf = new Map<string, number>();
  private jobs = 0;
  private bytes = 0;

  constructor(settings: JobQueueSettings) {
    this.settings = settings;
    this.pool = this.open();
  }

  get waiting(): number {
    return this.jobs;
  }

  async run<T>(work: Work, options: WorkOptions): Promise<WorkResult<T>> {
    const refused = options.isOwed === true ? null : this.refusal(options);
    if (refused !== null) return { kind: 'refused', reason: refused };
    this.count(options, 1);
    try {
      return await this.attempt<T>(work, options, true);
    } finally {
      this.count(options, -1);
    }
  }

  async close(): Promise<void> {
    await this.pool.destroy();
  }

  private refusal({ owner, bytes }: WorkOptions): 'queue-full' | 'owner-share' | null {
    const { maxJobs, maxBytes, maxJobsOfOwner } = this.settings;
    if ((this.jobsOf.get(owner) ?? 0) >= maxJobsOfOwner) return 'owner-share';
    const isFull = this.jobs >= maxJobs || (this.jobs > 0 && this.bytes + bytes > maxBytes);
    return isFull ? 'queue-full' : null;
  }

  private count({ owner, bytes }: WorkOptions, by: 1 | -1): void {
    this.jobs += by;
    this.bytes += by * bytes;
    const own = (this.jobsOf.get(owner) ?? 0) + by;
    if (own === 0) this.jobsOf.delete(owner);
    else this.jobsOf.set(owner, own);
  }

  private async attempt<T>(
    work: Work,
    options: WorkOptions,
    mayRepeat: boolean,
  ): Promise<WorkResult<T>> {
    const timer = this.timer(options);
    const { pool } = this;
    const port = options.openPort?.() ?? null;
    const task: Task = { ...work, port };
    try {
      const transferList = port === null ? [] : [port];
      const result: TaskResult = await pool.run(task, { signal: timer.signal, transferList });
      if (!result.ok) throw new JobFailed(result);
      return { kind: 'done', value: result.value as T };
    } catch (error) {
      if (error instanceof JobFailed) throw error;
      const reason = limitReached(error, timer.signal);
      if (reason !== null) return { kind: 'refused', reason };
      const { logger, name } = this.settings;
      logger.error({ err: error, queue: name, job: work.job }, 'a worker thread ended');
      if (!mayRepeat) {
        this.renew(pool);
        throw error;
      }
      return await this.attempt<T>(work, options, false);
    } finally {
      timer.stop();
    }
  }

  private timer({ isWaiting }: WorkOptions) {
    const controller = new AbortController();
    const check = (): void => {
      if (isWaiting?.() === true) timeout.refresh();
      else controller.abort();
    };
    const timeout = setTimeout(check, this.settings.timeoutMs);
    return { signal: controller.signal, stop: () => clearTimeout(timeout) };
  }

  /** A pool whose threads fail at their start opens no more of them. */
  private renew(broken: Piscina): void {
    if (this.pool !== broken) return;
    this.pool = this.open();
    broken.destroy().catch((error: unknown) => {
      this.settings.logger.warn({ err: error }, 'worker threads could not be ended');
    });
  }

  private open(): Piscina {
    const { entry, threads, jobsPerThread, maxHeapMb, nice, logger, name } = this.settings;
    const pool = new Piscina({
      filename: entry.filename,
      name: 'work',
      workerData: entry.workerData,
      minThreads: 0,
      maxThreads: threads,
      idleTimeout: idleMs,
      concurrentTasksPerWorker: jobsPerThread,
      resourceLimits: { maxOldGenerationSizeMb: maxHeapMb, maxYoungGenerationSizeMb: maxYoungMb },
      niceIncrement: nice,
      recordTiming: false,
    });
    pool.on('error', (error: unknown) =>
      logger.error({ err: error, queue: name }, 'a worker thread failed'),
    );
    return pool;
  }
}
