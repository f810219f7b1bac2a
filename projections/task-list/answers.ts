import type {
  FindTasks,
  FindUnfinished,
  FoundTask,
  FoundTasks,
  ListedTasks,
  ListTasks,
  UnfinishedTasks,
} from '../../domain/task/messages.ts';
import type { Bus, Stop } from '../../infra/ports/bus.ts';
import type { ReadDeps } from '../http/read-deps.ts';
import { findTasks, tasksOfUser, unfinishedTasks } from './queries.ts';
import { withTexts } from './sealed-texts.ts';
import type { TaskListRow, TaskListSchema } from './table.ts';

const found = (row: TaskListRow): FoundTask => ({
  taskId: row.task_id,
  upstreamId: row.upstream_id,
  userId: row.user_id,
  channelId: row.channel_id,
  action: row.action,
  prompt: row.prompt,
  submittedMs: row.submitted_ms,
  report: {
    status: row.status,
    progress: row.progress,
    promptEn: row.prompt_en,
    description: row.description,
    state: row.state,
    submitTime: row.submit_time,
    startTime: row.start_time,
    finishTime: row.finish_time,
    imageUrl: row.image_url,
    failReason: row.fail_reason,
    buttons: row.buttons,
    properties: row.properties,
    data: row.data,
  },
});

/** Sends relays the tasks that callers request, and the poller of tasks those still open. */
export const serveTaskList = async (
  bus: Bus,
  { db: anyDb, lookups }: Pick<ReadDeps, 'db' | 'lookups'>,
): Promise<Stop> => {
  const db = anyDb.withTables<TaskListSchema>();
  const stops = await Promise.all([
    bus.serve<FindTasks, FoundTasks>('task.find', async (asked) => ({
      tasks: (await withTexts(lookups, await findTasks(db, asked))).map(found),
    })),
    bus.serve<ListTasks, ListedTasks>('task.list', async (asked) => {
      const { rows, hasMore } = await tasksOfUser(db, asked);
      return { tasks: (await withTexts(lookups, rows)).map(found), hasMore };
    }),
    bus.serve<FindUnfinished, UnfinishedTasks>('task.unfinished', async (asked) => ({
      tasks: (await unfinishedTasks(db, asked)).map((row) => ({
        taskId: row.task_id,
        upstreamId: row.upstream_id,
        channelId: row.channel_id,
        submittedMs: row.submitted_ms,
      })),
    })),
  ]);
  return async () => {
    for (const stop of stops) await stop();
  };
};
