import type { Kysely } from 'kysely';
import { taskOfShownBatch } from '../../domain/task/batch.ts';
import type { TaskId, TaskPlatform } from '../../domain/task/events.ts';
import type { FindTasks, FindUnfinished, ListTasks } from '../../domain/task/messages.ts';
import { taskOfVideoId } from '../../domain/task/video.ts';
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
    .where('is_removed', '=', false)
    .orderBy('id', 'desc')
    .limit(maxFound);
  if (taskIds.length > 0) query = query.where('task_id', 'in', clean(taskIds));
  else query = query.where('upstream_id', 'in', clean(upstreamIds)).where('upstream_id', '!=', '');
  if (userId !== null) query = query.where('user_id', '=', userId);
  return query.execute();
};

/** What pages are counted in: by the number of a task, from one task on. */
type Page = Readonly<{ order: 'asc' | 'desc'; cursor: TaskId | null }>;

/** The page before a task is read backwards from it. */
const pageOf = ({ before, after, order }: ListTasks): Page =>
  before === undefined
    ? { order, cursor: after }
    : { order: order === 'asc' ? 'desc' : 'asc', cursor: before };

type ListedRows = Readonly<{ rows: TaskListRow[]; hasMore: boolean }>;

/** Tasks of one user, before or behind one of them. */
export const tasksOfUser = async (db: Db, asked: ListTasks): Promise<ListedRows> => {
  const { platform, userId, action, limit, before } = asked;
  const { order, cursor } = pageOf(asked);
  let own = db
    .selectFrom('task_list.tasks')
    .where('platform', '=', platform)
    .where('user_id', '=', userId);
  if (action !== undefined) own = own.where('action', '=', action);
  let query = own
    .selectAll()
    .where('is_removed', '=', false)
    .where('upstream_id', '!=', '')
    .orderBy('id', order)
    .limit(limit + 1);
  if (cursor !== null) {
    const place = own.select('id').where('task_id', 'in', clean([cursor]));
    const from = await place.executeTakeFirst();
    if (from === undefined) return { rows: [], hasMore: false };
    query = query.where('id', order === 'asc' ? '>' : '<', from.id);
  }
  const found = await query.execute();
  const rows = found.slice(0, limit);
  if (before !== undefined) rows.reverse();
  return { rows, hasMore: found.length > limit };
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
  platforms: readonly TaskPlatform[];
  /** null: of all users. */
  userId: number | null;
  page: number;
  /** 0 and "": all. */
  channelId: number;
  /** Id for callers: the provider's number, or our own of a video or a batch. */
  taskId: string;
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
    .where('platform', 'in', filter.platforms)
    .orderBy('id', 'desc')
    .limit(pageSize)
    .offset(filter.page * pageSize);
  if (filter.userId !== null) query = query.where('user_id', '=', filter.userId);
  if (filter.channelId !== 0) query = query.where('channel_id', '=', filter.channelId);
  if (filter.taskId !== '') {
    const own = taskOfVideoId(filter.taskId) ?? taskOfShownBatch(filter.taskId);
    query =
      own === null
        ? query.where('upstream_id', '=', filter.taskId)
        : query.where('task_id', '=', own);
  }
  if (filter.action !== '') query = query.where('action', '=', filter.action);
  if (filter.status !== '') query = query.where('status', '=', filter.status);
  if (filter.from > 0) query = query.where('submit_time', '>=', filter.from);
  if (filter.to > 0) query = query.where('submit_time', '<=', filter.to);
  return query.execute();
};
