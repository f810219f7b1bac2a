import type { AccountEvent } from '../../domain/account/events.ts';
import type { TaskEvent } from '../../domain/task/events.ts';
import type { EventStore } from '../../infra/ports/event-store.ts';

/** One task as the log tells it. */
export type TaskStory = {
  taskId: string;
  upstreamId: string;
  isAccepted: boolean;
  end: 'succeeded' | 'failed' | null;
  /** Amounts, one for each event. */
  charges: number[];
  refunds: number[];
  /** What its settlement gave back; null: it was not settled. */
  due: number | null;
};

/** Every task with the money of its request, read out of the log itself. */
export const tellTasks = async (log: EventStore): Promise<readonly TaskStory[]> => {
  const stories = new Map<string, TaskStory>();
  const money = new Map<string, Pick<TaskStory, 'charges' | 'refunds'>>();
  const moneyOf = (id: string) => {
    const known = money.get(id) ?? { charges: [], refunds: [] };
    money.set(id, known);
    return known;
  };
  const follow = (event: TaskEvent): void => {
    const { taskId } = event.data;
    if (event.type === 'TaskSubmitted') {
      const begun = { taskId, upstreamId: '', isAccepted: false, end: null, due: null };
      stories.set(taskId, { ...begun, ...moneyOf(taskId) });
    }
    const story = stories.get(taskId);
    if (story === undefined) throw new Error(`${taskId} was never submitted`);
    if (event.type === 'TaskAccepted') {
      Object.assign(story, { isAccepted: true, upstreamId: event.data.upstreamId, end: null });
    }
    if (event.type === 'TaskSucceeded') story.end = 'succeeded';
    if (event.type === 'TaskSettled') story.due = event.data.refund;
    if (event.type === 'TaskFailed') story.end = 'failed';
  };
  for await (const { event, streamId } of log.readAll()) {
    if (streamId.startsWith('task-')) follow(event as TaskEvent);
    const booked = event as AccountEvent;
    if (booked.type === 'RequestCharged') {
      moneyOf(booked.data.call.requestId).charges.push(booked.data.amount);
    }
    if (booked.type === 'RequestRefunded') {
      moneyOf(booked.data.requestId).refunds.push(booked.data.amount);
    }
  }
  return [...stories.values()];
};

/** Work that was settled gets back what its settlement says; other work that succeeded nothing. */
const wrongRefund = ({ due, refunds }: TaskStory): string | null => {
  const owed = due === null || due === 0 ? [] : [due];
  return String(owed) === String(refunds) ? null : `owed ${owed}, given back ${refunds}`;
};

/** What is wrong with the money of a task; null when it adds up. */
export const wrongWith = (story: TaskStory): string | null => {
  const { isAccepted, end, charges, refunds } = story;
  const paid = charges.length;
  if (!isAccepted) return paid + refunds.length === 0 ? null : 'never taken, and yet booked';
  if (paid !== 1) return `taken, and charged ${paid} times`;
  if (end === null) return 'it never ended';
  if (end === 'succeeded') return wrongRefund(story);
  const isWhole = refunds.length === 1 && refunds[0] === charges[0];
  return isWhole ? null : `it failed: charged ${charges[0]}, given back ${refunds.join(' + ')}`;
};
