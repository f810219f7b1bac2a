import type { RequestCharged, RequestRefunded } from '../../domain/account/events.ts';
import type { Recorded } from '../../domain/shared/event.ts';
import type { TaskEvent } from '../../domain/task/events.ts';
import { type Check, timeOf } from './check.ts';
import type { Findings } from './findings.ts';

type Task = {
  /** Charged for it, and given back so far, in quota units. */
  charged: number;
  refunded: number;
  /** Where it failed; null while it has not. */
  failure: Readonly<{ eventId: string; streamId: string; atMs: number }> | null;
};

/** The process that gives the money back has this long before the books count as broken. */
const graceMs = 60_000;

const taskTypes: Readonly<Record<TaskEvent['type'], true>> = {
  TaskSubmitted: true,
  TaskAccepted: true,
  TaskProgressed: true,
  TaskSucceeded: true,
  TaskFailed: true,
};
const isTaskEvent = (event: Readonly<{ type: string }>): event is TaskEvent =>
  Object.hasOwn(taskTypes, event.type);
const isCharge = (recorded: Recorded): recorded is Recorded<RequestCharged> =>
  recorded.event.type === 'RequestCharged';
const isRefund = (recorded: Recorded): recorded is Recorded<RequestRefunded> =>
  recorded.event.type === 'RequestRefunded';

/**
 * A task that was taken says what its account was charged; one that fails afterwards gets all of it
 * back, once, and no other does. Remembers each task.
 */
export class TaskCheck implements Check {
  readonly #findings: Findings;
  readonly #tasks = new Map<string, Task>();

  constructor(findings: Findings) {
    this.#findings = findings;
  }

  see(recorded: Recorded): void {
    if (isCharge(recorded)) this.#charge(recorded);
    if (isRefund(recorded)) this.#refund(recorded);
    const { event } = recorded;
    if (isTaskEvent(event)) this.#follow(recorded, event);
  }

  end(now: number): void {
    for (const [id, { charged, refunded, failure }] of this.#tasks) {
      if (failure === null || charged === refunded || now - failure.atMs < graceMs) continue;
      const detail = `task ${id} failed: ${charged} units were charged and ${refunded} given back`;
      this.#findings.ofEarlier('task-not-refunded', { ...failure, detail });
    }
  }

  #charge({ event: { data } }: Recorded<RequestCharged>): void {
    if (data.call.task === undefined) return;
    const { requestId } = data.call;
    if (this.#tasks.has(requestId)) return;
    this.#tasks.set(requestId, { charged: data.amount, refunded: 0, failure: null });
  }

  #refund(recorded: Recorded<RequestRefunded>): void {
    const { requestId, amount } = recorded.event.data;
    const task = this.#tasks.get(requestId);
    if (task === undefined) return;
    task.refunded += amount;
    if (task.failure !== null) return;
    const detail = `task ${requestId} gets ${amount} units back and did not fail`;
    this.#findings.ofEvent('refund-without-failure', recorded, detail);
  }

  #follow(recorded: Recorded, event: TaskEvent): void {
    const task = this.#tasks.get(event.data.taskId);
    if (event.type === 'TaskAccepted' && (task?.charged ?? 0) !== event.data.quota) {
      const { taskId, quota } = event.data;
      const detail = `task ${taskId} says it cost ${quota} units; charged are ${task?.charged ?? 0}`;
      this.#findings.ofEvent('task-charge-mismatch', recorded, detail);
    }
    // A task that was given up for dead is alive after all.
    if (event.type === 'TaskAccepted' && task !== undefined) task.failure = null;
    if (event.type !== 'TaskFailed' || task === undefined) return;
    const { eventId, streamId } = recorded;
    task.failure ??= { eventId, streamId, atMs: timeOf(recorded) };
  }
}
