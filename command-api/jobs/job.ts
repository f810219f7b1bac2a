/** What a run did, in numbers by name, such as `{ tested: 12, failed: 1 }`; empty: nothing to do. */
export type JobFigures = Readonly<Record<string, number>>;

export type JobRun = Readonly<{
  runId: string;
  /** Aborted when this process stops or has lost the lease; a long run checks it between steps. */
  signal: AbortSignal;
  /** A person requested this run. */
  isByHand: boolean;
}>;

/**
 * Work that the product does periodically, once in a cluster. A run may be cut short and begin
 * again elsewhere, so each step has to be harmless when it is repeated.
 */
export type Job = Readonly<{
  /** Kebab-case; names the lease and the history, and is shown. Never changes. */
  name: string;
  /** Milliseconds between two starts, read again every few seconds; null: manually only. */
  everyMs: () => Promise<number | null>;
  run: (run: JobRun) => Promise<JobFigures>;
}>;

/** A job whose pace is settled when the process starts. */
export const every =
  (ms: number | null): Job['everyMs'] =>
  async () =>
    ms;
