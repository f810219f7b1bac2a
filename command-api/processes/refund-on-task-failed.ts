import type { RefundRequest } from '../../domain/account/commands.ts';
import type { Recorded } from '../../domain/shared/event.ts';
import type { TaskFailed } from '../../domain/task/events.ts';
import { causedBy } from './process.ts';

/**
 * When a task fails that was paid for, give the money back. The task has the id of its request, and
 * what a correction gave back before is not given back again.
 */
export const refundOnTaskFailed = (recorded: Recorded<TaskFailed>): RefundRequest | null => {
  const { userId, taskId, quota, source } = recorded.event.data;
  if (quota <= 0) return null;
  return {
    type: 'RefundRequest',
    data: { userId, requestId: taskId, amount: quota, reason: `task.${source}`, atMost: true },
    metadata: causedBy(recorded, 'task-refund'),
  };
};
