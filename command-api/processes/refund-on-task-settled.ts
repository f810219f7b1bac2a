import type { RefundRequest } from '../../domain/account/commands.ts';
import type { Recorded } from '../../domain/shared/event.ts';
import type { TaskSettled } from '../../domain/task/events.ts';
import { causedBy } from './process.ts';

/**
 * When work is settled that was charged by its estimate, give back what was beyond its use. What a
 * correction gave back before is not given back again.
 */
export const refundOnTaskSettled = (recorded: Recorded<TaskSettled>): RefundRequest | null => {
  const { userId, taskId, refund } = recorded.event.data;
  if (refund <= 0) return null;
  return {
    type: 'RefundRequest',
    data: { userId, requestId: taskId, amount: refund, reason: 'task.settled', atMost: true },
    metadata: causedBy(recorded, 'task-settlement'),
  };
};
