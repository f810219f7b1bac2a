import type { MessagePort } from 'node:worker_threads';
import { Piscina } from 'piscina';
import type { Logger } from '../ports/logger.ts';
import type { WorkOptions, WorkResult } from '../ports/workers.ts';
import { Turns } from './turns.ts';

/** What a worker module exports as `work`; see `serve-jobs.ts`. */
export type Task = Readonly<{ job: string; input: unknown; port: MessagePort | null }>;
type Work = Omit<Task, 'port'>;
export type TaskResult =
  | Readonly<{ ok: true; value: unknown }>
  | Readonly<{ ok: false; name: string; message: string; stack: string }>;

/** Typed as `object`: Piscina derives its type of a transfer list from an overload that takes none. */
const transferOf = (port: MessagePort | null): object =>
  port === null ? {} : { transferList: [port] };

export type JobQueueSettings = Readonly<{
  name: string;
  /** The module that the threads run; see `serve-jobs.ts`. */
  filename: string;
  threads: number;
  /** Jobs of one thread that may wait for something outside at a time. */
  jobsPerThread: number;
  /** Jobs begun and waiting; more are refused. */
  maxJobs: number;
  /** The same of one owner. */
  maxJobsOfOwner: number;
  /** Bytes that the jobs read, and those of one owner. */
  maxBytes: number;
  maxBytesOfOwner: number;
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

type Timer = Readonly<{ signal: AbortSignal; restart: () => void; stop: () => void }>;
type ThreadEnded = Readonly<{ kind: 'thread-ended'; pool: Piscina; error: unknown }>;
type Held = Readonly<{ jobs: number; bytes: number }>;
const nothing: Held = { jobs: 0, bytes: 0 };

/**
 * Threads for jobs of one kind, with a bounded queue before them that owners take turns in. They end
 * while there is none.
 */
export class JobQueue {
  private readonly settings: JobQueueSettings;
  private readonly turns: Turns;
  private pool: Piscina;
  private readonly heldOf = new Map<string, Held>();
  private held = nothing;

  constructor(settings: JobQueueSettings) {
    this.settings = settings;
    this.turns = new Turns(settings.threads * settings.jobsPerThread);
    this.pool = this.open();
  }

  get waiting(): number {
    return this.held.jobs;
  }

  async run<T>(work: Work, options: WorkOptions): Promise<WorkResult<T>> {
    const refused = options.isOwed === true ? null : this.refusal(options);
    if (refused !== null) return { kind: 'refused', reason: refused };
    this.count(options, 1);
    const timer = this.timer(options);
    try {
      return await this.inTurn<T>(work, options, timer);
    } finally {
      timer.stop();
      this.count(options, -1);
    }
  }

  async close(): Promise<void> {
    this.turns.close();
    await this.pool.destroy();
  }

  private refusal({ owner, bytes }: WorkOptions): 'queue-full' | 'owner-share' | null {
    const { maxJobs, maxBytes, maxJobsOfOwner, maxBytesOfOwner } = this.settings;
    const isOver = (held: Held, jobs: number, most: number): boolean =>
      held.jobs >= jobs || (held.jobs > 0 && held.bytes + bytes > most);
    const own = this.heldOf.get(owner) ?? nothing;
    if (isOver(own, maxJobsOfOwner, maxBytesOfOwner)) return 'owner-share';
    return isOver(this.held, maxJobs, maxBytes) ? 'queue-full' : null;
  }

  private count({ owner, bytes }: WorkOptions, by: 1 | -1): void {
    const changed = (held: Held): Held => ({
      jobs: held.jobs + by,
      bytes: held.bytes + by * bytes,
    });
    this.held = changed(this.held);
    const own = changed(this.heldOf.get(owner) ?? nothing);
    if (own.jobs === 0) this.heldOf.delete(owner);
    else this.heldOf.set(owner, own);
  }

  private async inTurn<T>(work: Work, options: WorkOptions, timer: Timer): Promise<WorkResult<T>> {
    try {
      await this.turns.enter(options.owner, timer.signal);
    } catch (error) {
      if (timer.signal.aborted) return { kind: 'refused', reason: 'timeout' };
      throw error;
    }
    try {
      const begun = await this.attempt<T>(work, options, timer);
      if (begun.kind !== 'thread-ended') return begun;
      timer.restart();
      const again = await this.attempt<T>(work, options, timer);
      if (again.kind !== 'thread-ended') return again;
      this.renew(again.pool);
      throw again.error;
    } finally {
      this.turns.leave();
    }
  }

  private async attempt<T>(
    work: Work,
    options: WorkOptions,
    { signal }: Timer,
  ): Promise<WorkResult<T> | ThreadEnded> {
    const { pool } = this;
    const port = options.openPort?.() ?? null;
    const task: Task = { ...work, port };
    try {
      const result: TaskResult = await pool.run(task, { signal, ...transferOf(port) });
      if (!result.ok) throw new JobFailed(result);
      return { kind: 'done', value: result.value as T };
    } catch (error) {
      if (error instanceof JobFailed) throw error;
      const reason = limitReached(error, signal);
      if (reason !== null) return { kind: 'refused', reason };
      const { logger, name } = this.settings;
      logger.error({ err: error, queue: name, job: work.job }, 'a worker thread ended');
      return { kind: 'thread-ended', pool, error };
    }
  }

  private timer({ isWaiting }: WorkOptions): Timer {
    const controller = new AbortController();
    const check = (): void => {
      if (isWaiting?.() === true) timeout.refresh();
      else controller.abort();
    };
    const timeout = setTimeout(check, this.settings.timeoutMs);
    return {
      signal: controller.signal,
      restart: () => void timeout.refresh(),
      stop: () => clearTimeout(timeout),
    };
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
    const { filename, threads, jobsPerThread, maxHeapMb, nice, logger, name } = this.settings;
    const pool = new Piscina({
      filename,
      name: 'work',
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
