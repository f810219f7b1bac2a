import type { TaskId } from '../../domain/task/events.ts';

/**
 * How long this process has to have polled a task in vain before it gives it up, milliseconds of a
 * clock that does not jump. A wall clock that is hours ahead, or a site that was down for as long,
 * is no reason to give a task up.
 */
const watchedMs = 3_600_000;

/** Since when this process has seen tasks of one platform without an end. */
export class WatchedTasks {
  #since: ReadonlyMap<TaskId, number> = new Map();

  /** `listed`: all that have not ended now; others are dropped. */
  see(listed: readonly Readonly<{ taskId: TaskId }>[], now: number): void {
    this.#since = new Map(
      listed.map(({ taskId }) => [taskId, this.#since.get(taskId) ?? now] as const),
    );
  }

  isOverdue(taskId: TaskId, now: number): boolean {
    return now - (this.#since.get(taskId) ?? now) >= watchedMs;
  }
}
