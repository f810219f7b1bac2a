import type { MessagePort } from 'node:worker_threads';

export type WorkOptions = Readonly<{
  /** Whose work it is: each owner gets a share of the queue at most. */
  owner: string;
  /** Bytes that the job reads: small jobs have threads of their own and do not wait behind large. */
  bytes: number;
  /** A job that is owed is never refused for a full queue or for its owner's share. */
  isOwed?: boolean;
  /** Opens what the job talks back by: its end for the thread, once for each attempt. */
  openPort?: () => MessagePort;
  /** The job waits for something outside: its time does not run meanwhile. */
  isWaiting?: () => boolean;
}>;

/**
 * `queue-full`, `owner-share`: not begun. `timeout`: not done in time. `memory`: it took more than
 * a thread may have.
 */
export type WorkRefusal = 'queue-full' | 'owner-share' | 'timeout' | 'memory';

export type WorkResult<T> =
  | Readonly<{ kind: 'done'; value: T }>
  | Readonly<{ kind: 'refused'; reason: WorkRefusal }>;

/** Work that would hold up the event loop is done by other threads. */
export interface Workers {
  /**
   * Values are copied on their way, but for shared memory. A job whose thread ends is done again,
   * once. @throws what the job throws
   */
  run<T>(job: string, input: unknown, options: WorkOptions): Promise<WorkResult<T>>;
  close(): Promise<void>;
}
