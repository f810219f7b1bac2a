import type { Command } from '../shared/event.ts';
import type { TaskAccepted, TaskFacts, TaskId, TaskReport } from './events.ts';

export type SubmitTask = Command<'SubmitTask', TaskFacts>;
/** `report`: what the provider said beyond that it took the task; null for nothing. */
export type AcceptTask = Command<
  'AcceptTask',
  TaskAccepted['data'] & Readonly<{ report: TaskReport | null }>
>;
/** The provider said no. */
export type RefuseTask = Command<
  'RefuseTask',
  { taskId: TaskId; code: number | null; reason: string }
>;
/** The relay that asked is gone, and nobody knows what the provider said. */
export type AbandonTask = Command<'AbandonTask', { taskId: TaskId; reason: string }>;
/** The provider says where it stands. */
export type ReportTask = Command<'ReportTask', { taskId: TaskId; report: TaskReport }>;
/** Nobody can say any more what became of it. */
export type GiveUpTask = Command<
  'GiveUpTask',
  { taskId: TaskId; source: 'timeout' | 'channel-gone'; reason: string }
>;

export type TaskCommand =
  | SubmitTask
  | AcceptTask
  | RefuseTask
  | AbandonTask
  | ReportTask
  | GiveUpTask;

export type TaskRejection = 'task.unknown';
