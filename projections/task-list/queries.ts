import type { Kysely } from 'kysely';
import type { TaskPlatform } from '../../domain/task/events.ts';
import type { FindTasks, FindUnfinished } from '../../domain/task/messages.ts';
import type { TaskListRow, TaskListSchema } from './table.ts';

type Db = Kysely<TaskListSchema>;

/** Rows of one page, and of one answer to a relay. */
const pageSize = 10;
const maxFound = 1_000;

/** By our numbers or the providers', newest first. */
export const findTasks = async (
  db: Db,
  { platform, userId, upstreamIds, taskIds = [] }: FindTasks,
): Promise<TaskListRow[]> => {
  if (upstreamIds.length + taskIds.length === 0) return [];
  let query = db
    .selectFrom('task_list.tasks')
    .selectAll()
    .where('platform', '=', platform)
    .orderBy('id', 'desc')
    .limit(maxFound);
  if (taskIds.length > 0) query = query.where('task_id', 'in', clean(taskIds));
  else query = query.where('upstream_id', 'in', clean(upstreamIds)).where('upstream_id', '!=', '');
  if (userId !== null) query = query.where('user_id', '=', userId);
  return query.execute();
};

const clean = (ids: readonly string[]): string[] => ids.map((id) => id.replaceAll('\0', '\ufffd'));

/** Oldest first, so that none waits for ever behind newer ones. */
export const unfinishedTasks = (
  db: Db,
  { platform, limit }: FindUnfinished,
): Promise<TaskListRow[]> =>
  db
    .selectFrom('task_list.tasks')
    .selectAll()
    .where('platform', '=', platform)
    .where('is_open', '=', true)
    .orderBy('id')
    .limit(limit)
    .execute();

export type TaskFilter = Readonly<{
  platform: TaskPlatform;
  /** null: of all users. */
  userId: number | null;
  page: number;
  /** 0 and "": all. */
  channelId: number;
  upstreamId: string;
  action: string;
  status: string;
  /** In the unit of the platform, inclusive; 0 is open. */
  from: number;
  to: number;
}>;

/** One page, newest first; pages count from 0. */
export const listTasks = (db: Db, filter: TaskFilter): Promise<TaskListRow[]> => {
  let query = db
    .selectFrom('task_list.tasks')
    .selectAll()
    .where('platform', '=', filter.platform)
    .orderBy('id', 'desc')
    .limit(pageSize)
    .offset(filter.page * pageSize);
  if (filter.userId !== null) query = query.where('user_id', '=', filter.userId);
  if (filter.channelId !== 0) query = query.where('channel_id', '=', filter.channelId);
  if (filter.upstreamId !== '') query = query.where('upstream_id', '=', filter.upstreamId);
  if (filter.action !== '') query = query.where('action', '=', filter.action);
  if (filter.status !== '') query = query.where('status', '=', filter.status);
  if (filter.from > 0) query = query.where('submit_time', '>=', filter.from);
  if (filter.to > 0) query = query.where('submit_time', '<=', filter.to);
  return query.execute();
};
