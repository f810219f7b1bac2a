import { price } from '../pricing/price.ts';
import type { Quote, Usage } from '../pricing/types.ts';
import { accept, type Decider, type Decision, reject } from '../shared/decider.ts';
import type { UserId } from '../shared/ids.ts';
import type { QuotaUnits } from '../shared/quota.ts';
import type {
  AcceptTask,
  GiveUpTask,
  RefuseTask,
  ReportTask,
  TaskCommand,
  TaskRejection,
} from './commands.ts';
import type { TaskEvent, TaskFailure, TaskId, TaskReport } from './events.ts';
import { emptyReport, finished, isFailure, isSame, isSuccess, merged } from './report.ts';

type Answer = Decision<TaskEvent, TaskRejection>;
type Known = Readonly<{ taskId: TaskId; userId: UserId }>;
export type TaskState =
  | Readonly<{ status: 'absent' }>
  /** Not known yet whether the provider accepted it. */
  | Readonly<{ status: 'submitted' } & Known>
  | Readonly<
      /** `quote` null: paid for the step, whatever it uses. */
      { status: 'running'; quota: QuotaUnits; quote: Quote | null; report: TaskReport } & Known
    >
  | Readonly<{ status: 'succeeded' } & Known>
  /** `wasAccepted`: final. Else a late report of its relay may still reopen it. */
  | Readonly<{ status: 'failed'; source: TaskFailure; wasAccepted: boolean } & Known>
  | Readonly<{ status: 'removed' } & Known>;
type Existing = Exclude<TaskState, { status: 'absent' }>;
type Running = Extract<TaskState, { status: 'running' }>;

const nothing = accept<TaskEvent>();

const failed = (
  { taskId, userId, quota }: Pick<Running, 'taskId' | 'userId' | 'quota'>,
  source: TaskFailure,
  outcome: Readonly<{ reason: string; code?: number | null; report?: TaskReport }>,
): TaskEvent => ({
  type: 'TaskFailed',
  data: {
    taskId,
    userId,
    source,
    code: outcome.code ?? null,
    reason: outcome.reason,
    quota,
    report: outcome.report ?? null,
  },
});

/** Work that is settled by its use costs what it used, and never more than its estimate. */
const settled = (
  { taskId, userId, quota, quote }: Running,
  usage: Usage | undefined,
): readonly TaskEvent[] => {
  if (quote === null || usage === undefined) return [];
  const amount = Math.min(quota, price(usage, quote));
  return [{ type: 'TaskSettled', data: { taskId, userId, usage, amount, refund: quota - amount } }];
};

/** The events of a report of the provider; most reports hold nothing new. */
const reported = (state: Running, news: TaskReport, used?: Usage): readonly TaskEvent[] => {
  const report = merged(state.report, news);
  if (isFailure(report)) {
    const ended = { ...report, progress: finished, status: 'FAILURE' };
    return [failed(state, 'upstream', { reason: report.failReason, report: ended })];
  }
  const { taskId, userId } = state;
  if (isSuccess(report)) {
    const ended = { ...report, progress: finished };
    const succeeded: TaskEvent = { type: 'TaskSucceeded', data: { taskId, userId, report: ended } };
    return [succeeded, ...settled(state, used)];
  }
  if (isSame(report, state.report)) return [];
  return [{ type: 'TaskProgressed', data: { taskId, userId, report } }];
};

/** A relay may report after it was taken for dead: what it did then counts. */
const take = ({ data: { report, ...data } }: AcceptTask, state: Existing): Answer => {
  const isOpen =
    state.status === 'submitted' ||
    (state.status === 'failed' && !state.wasAccepted && state.source !== 'refused');
  if (!isOpen) return nothing;
  const { taskId, userId } = state;
  const running: Running = {
    status: 'running',
    taskId,
    userId,
    quota: data.quota,
    quote: data.quote ?? null,
    report: emptyReport,
  };
  const news = report === null ? [] : reported(running, report);
  return accept({ type: 'TaskAccepted', data }, ...news);
};

const refuse = ({ data }: RefuseTask, state: Existing): Answer => {
  if (state.status !== 'submitted') return nothing;
  const { reason, code } = data;
  return accept(failed({ ...state, quota: 0 }, 'refused', { reason, code }));
};

const report = ({ data }: ReportTask, state: Existing): Answer =>
  state.status === 'running' ? accept(...reported(state, data.report, data.used)) : nothing;

const discard = ({ data: { source, reason } }: GiveUpTask, state: Existing): Answer => {
  if (state.status === 'submitted') {
    return accept(failed({ ...state, quota: 0 }, source, { reason }));
  }
  if (state.status !== 'running') return nothing;
  const last = { ...state.report, status: 'FAILURE', progress: finished, failReason: reason };
  return accept(failed(state, source, { reason, report: last }));
};

/** A task that no provider accepted may still be reopened, and its owner has no number of it. */
const remove = (state: Existing): Answer => {
  if (state.status === 'removed') return nothing;
  const hasEnded = state.status === 'succeeded' || (state.status === 'failed' && state.wasAccepted);
  if (!hasEnded) return reject('task.unfinished');
  const { taskId, userId } = state;
  return accept({ type: 'TaskRemoved', data: { taskId, userId } });
};

const decide = (command: TaskCommand, state: TaskState): Answer => {
  if (command.type === 'SubmitTask') {
    const { data } = command;
    return state.status === 'absent' ? accept({ type: 'TaskSubmitted', data }) : nothing;
  }
  if (state.status === 'absent') return reject('task.unknown');
  switch (command.type) {
    case 'AcceptTask':
      return take(command, state);
    case 'RefuseTask':
      return refuse(command, state);
    case 'AbandonTask': {
      if (state.status !== 'submitted') return nothing;
      return accept(failed({ ...state, quota: 0 }, 'abandoned', { reason: command.data.reason }));
    }
    case 'ReportTask':
      return report(command, state);
    case 'GiveUpTask':
      return discard(command, state);
    case 'RemoveTask':
      return remove(state);
  }
};

const evolve = (state: TaskState, event: TaskEvent): TaskState => {
  if (event.type === 'TaskSubmitted') {
    const { taskId, userId } = event.data;
    return { status: 'submitted', taskId, userId };
  }
  if (state.status === 'absent') return state;
  const { taskId, userId } = state;
  switch (event.type) {
    case 'TaskAccepted': {
      const { quota, quote = null } = event.data;
      return { status: 'running', taskId, userId, quota, quote, report: emptyReport };
    }
    case 'TaskProgressed':
      return state.status === 'running' ? { ...state, report: event.data.report } : state;
    case 'TaskSucceeded':
      return { status: 'succeeded', taskId, userId };
    case 'TaskSettled':
      return state;
    case 'TaskRemoved':
      return { status: 'removed', taskId, userId };
    case 'TaskFailed': {
      const { source } = event.data;
      return { status: 'failed', taskId, userId, source, wasAccepted: state.status === 'running' };
    }
  }
};

/**
 * Charged once by the account. A task that was taken fails or succeeds at most once, so it is refunded
 * or settled once.
 */
export const taskDecider: Decider<TaskCommand, TaskEvent, TaskState, TaskRejection> = {
  initialState: { status: 'absent' },
  decide,
  evolve,
};
