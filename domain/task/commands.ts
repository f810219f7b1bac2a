import type { Usage } from '../pricing/types.ts';
import type { Command } from '../shared/event.ts';
import type { TaskAccepted, TaskFacts, TaskId, TaskReport } from './events.ts';

export type SubmitTask = Command<'SubmitTask', TaskFacts>;
/** `report`: what the provider reported beyond accepting the task; null for nothing. */
export type AcceptTask = Command<
  'AcceptTask',
  TaskAccepted['data'] & Readonly<{ report: TaskReport | null }>
>;
/** The provider refused the task. */
export type RefuseTask = Command<
  'RefuseTask',
  { taskId: TaskId; code: number | null; reason: string }
>;
/** The submitting relay is gone, and the provider's answer is unknown. */
export type AbandonTask = Command<'AbandonTask', { taskId: TaskId; reason: string }>;
/** The provider reports its progress. `used`: what finished work used that is settled by it. */
export type ReportTask = Command<
  'ReportTask',
  { taskId: TaskId; report: TaskReport; used?: Usage }
>;
/** The outcome can no longer be found out. */
export type GiveUpTask = Command<
  'GiveUpTask',
  { taskId: TaskId; source: 'timeout' | 'channel-gone'; reason: string }
>;

/** The owner deletes a task that has ended. */
export type RemoveTask = Command<'RemoveTask', { taskId: TaskId }>;

export type TaskCommand =
  | SubmitTask
  | AcceptTask
  | RefuseTask
  | AbandonTask
  | ReportTask
  | GiveUpTask
  | RemoveTask;

export type TaskRejection = 'task.unknown' | 'task.unfinished';
