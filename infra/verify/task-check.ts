import type {
  CorrectionPosted,
  RequestCharged,
  RequestRefunded,
} from '../../domain/account/events.ts';
import type { Recorded } from '../../domain/shared/event.ts';
import type { TaskAccepted, TaskSettled } from '../../domain/task/events.ts';
import { type Check, timeOf } from './check.ts';
import type { ConcernedEvent } from './concerns.ts';
import type { Findings } from './findings.ts';

type End = Readonly<{ eventId: string; streamId: string; atMs: number; due: number }>;

type Task = {
  /** Charged for it, and given back so far, in quota units. */
  charged: number;
  refunded: number;
  /** A correction gave some of it back, so that a failure gives back the rest. */
  isCorrected: boolean;
  /** Where it failed or was settled, and what is due back; null while it has not. */
  end: End | null;
};

/** The process that gives the money back has this long before its absence is a break. */
const graceMs = 60_000;

/**
 * A task that was taken names what its account was charged; one that fails afterwards gets all of it
 * back, one that is settled what its settlement names, once, and no other does. Remembers each task.
 */
export class TaskCheck implements Check<'tasks'> {
  readonly #findings: Findings;
  readonly #tasks = new Map<string, Task>();

  constructor(findings: Findings) {
    this.#findings = findings;
  }

  see(recorded: Recorded<ConcernedEvent<'tasks'>>): void {
    const { event } = recorded;
    switch (event.type) {
      case 'RequestCharged':
        this.#charge(event.data);
        return;
      case 'RequestRefunded':
        this.#refund(recorded, event.data);
        return;
      case 'CorrectionPosted':
        this.#correct(event.data);
        return;
      case 'TaskAccepted':
        this.#accept(recorded, event.data);
        return;
      case 'TaskFailed':
        this.#fail(recorded, event.data.taskId);
        return;
      case 'TaskSettled':
        this.#settle(recorded, event.data);
        return;
    }
  }

  end(now: number): void {
    for (const [id, { charged, refunded, isCorrected, end }] of this.#tasks) {
      const due = end?.due ?? charged;
      if (due === refunded || isCorrected) continue;
      if (end === null || now - end.atMs < graceMs) continue;
      const detail = `task ${id} ended: ${due} of ${charged} units are due as refund, ${refunded} were refunded`;
      this.#findings.ofEarlier('task-not-refunded', { ...end, detail });
    }
  }

  #charge({ call, amount }: RequestCharged['data']): void {
    if (call.task === undefined || this.#tasks.has(call.requestId)) return;
    this.#tasks.set(call.requestId, {
      charged: amount,
      refunded: 0,
      isCorrected: false,
      end: null,
    });
  }

  #refund(recorded: Recorded, { requestId, amount }: RequestRefunded['data']): void {
    const task = this.#tasks.get(requestId);
    if (task === undefined) return;
    task.refunded += amount;
    if (task.end !== null) return;
    const detail = `task ${requestId} is refunded ${amount} units, and neither failed nor was settled`;
    this.#findings.ofEvent('refund-without-failure', recorded, detail);
  }

  /** The check of corrections covers what it left. */
  #correct({ corrects }: CorrectionPosted['data']): void {
    for (const id of corrects) {
      const task = this.#tasks.get(id);
      if (task !== undefined) task.isCorrected = true;
    }
  }

  #accept(recorded: Recorded, { taskId, quota }: TaskAccepted['data']): void {
    const task = this.#tasks.get(taskId);
    const charged = task?.charged ?? 0;
    if (charged !== quota) {
      const detail = `task ${taskId} records a charge of ${quota} units, the log has ${charged}`;
      this.#findings.ofEvent('task-charge-mismatch', recorded, detail);
    }
    // A task that was taken for abandoned is alive after all.
    if (task !== undefined) task.end = null;
  }

  #fail(recorded: Recorded, taskId: string): void {
    const task = this.#tasks.get(taskId);
    if (task === undefined) return;
    const { eventId, streamId } = recorded;
    task.end ??= { eventId, streamId, atMs: timeOf(recorded), due: task.charged };
  }

  #settle(recorded: Recorded, { taskId, amount, refund }: TaskSettled['data']): void {
    const task = this.#tasks.get(taskId);
    const charged = task?.charged ?? 0;
    if (amount + refund !== charged) {
      const detail = `task ${taskId} is settled at ${amount} with a refund of ${refund}, the charge was ${charged}`;
      this.#findings.ofEvent('task-charge-mismatch', recorded, detail);
    }
    if (task === undefined) return;
    const { eventId, streamId } = recorded;
    task.end ??= { eventId, streamId, atMs: timeOf(recorded), due: refund };
  }
}
