type Seen = Readonly<{ startedAt: string; sinceMs: number }>;

/**
 * How long a start of a job has been its newest one, by a clock that does not jump. The times in the history of
 * runs are those of other processes: one whose clock was hours ahead would stop a job for as long.
 */
export class NewestStarts {
  readonly #seen = new Map<string, Seen>();

  /** Milliseconds since this process saw this start first. */
  ageOf(jobName: string, startedAt: string, nowMs: number): number {
    const seen = this.#seen.get(jobName);
    if (seen?.startedAt === startedAt) return nowMs - seen.sinceMs;
    this.#seen.set(jobName, { startedAt, sinceMs: nowMs });
    return 0;
  }
}
