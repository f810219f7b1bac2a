/** What a run did, in numbers by name, such as `{ tested: 12, failed: 1 }`; empty: nothing to do. */
export type JobFigures = Readonly<Record<string, number>>;

export type JobRun = Readonly<{
  runId: string;
  /** Aborted when this process stops or has lost the lease; a long run looks at it between steps. */
  signal: AbortSignal;
  /** A person asked for this run. */
  isByHand: boolean;
}>;

/**
 * Work that the product does by itself from time to time, once in a cluster. A run may be cut short
 * and begin again elsewhere, so each step has to be harmless when it comes twice.
 */
export type Job = Readonly<{
  /** Kebab-case; names the lease and the history, and is shown. Never changes. */
  name: string;
  /** Milliseconds between two starts, asked anew every few seconds; null: by hand only. */
  everyMs: () => Promise<number | null>;
  run: (run: JobRun) => Promise<JobFigures>;
}>;

/** A job whose pace is settled when the process starts. */
export const every =
  (ms: number | null): Job['everyMs'] =>
  async () =>
    ms;
