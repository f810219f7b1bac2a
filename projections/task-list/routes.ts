import { shownBatchId } from '../../domain/task/batch.ts';
import type { TaskPlatform } from '../../domain/task/events.ts';
import { videoIdOf } from '../../domain/task/video.ts';
import type { DrawingRow, TaskRow, taskApi } from '../contract/task.ts';
import type { ReadDeps } from '../http/read-deps.ts';
import { type CallTo, type Handlers, ok } from '../http/routes.ts';
import { listTasks } from './queries.ts';
import { withTexts } from './sealed-texts.ts';
import type { TaskListRow, TaskListSchema } from './table.ts';

/** From here on a number of time is milliseconds, from any client (`infra/reference/tasks.md`). */
const firstMilliseconds = 100_000_000_000;
const inMilliseconds = (time: number): number => (time >= firstMilliseconds ? time : time * 1_000);

type Shown = (row: TaskListRow) => string;

/** Our own address of a picture, so that the provider is not seen. */
const imagesOf =
  (options: ReadonlyMap<string, string>): Shown =>
  ({ image_url: url, upstream_id: id, status }) => {
    if (url === '' || options.get('MjForwardUrlEnabled') === 'false') return url;
    const base = (options.get('ServerAddress') ?? '').replace(/\/+$/, '');
    const address = `${base}/mj/image/${encodeURIComponent(id)}`;
    return status === 'SUCCESS' ? address : `${address}?rand=${process.hrtime.bigint()}`;
  };

const drawing = (row: TaskListRow, shown: Shown, isOwn: boolean): DrawingRow => ({
  id: row.id,
  created_at: row.created_at,
  code: row.code,
  user_id: row.user_id,
  action: row.action,
  mj_id: row.upstream_id,
  prompt: row.prompt,
  prompt_en: row.prompt_en,
  description: row.description,
  state: row.state,
  submit_time: row.submit_time,
  start_time: row.start_time,
  finish_time: row.finish_time,
  image_url: shown(row),
  status: row.status,
  progress: row.progress,
  fail_reason: row.fail_reason,
  channel_id: isOwn ? 0 : row.channel_id,
  quota: isOwn ? 0 : row.quota,
  buttons: row.buttons,
  properties: row.properties,
});

const parsed = (text: string): unknown => {
  try {
    return text === '' ? null : JSON.parse(text);
  } catch {
    return text;
  }
};

/** Id for callers. */
const idOf = ({ platform, action, task_id, upstream_id }: TaskListRow): string => {
  if (upstream_id === '') return '';
  if (platform === 'batch') return shownBatchId(action, task_id);
  return platform === 'video' ? videoIdOf(task_id) : upstream_id;
};

/** The provider's ids of the results of a batch stay with us. */
const dataOf = ({ platform, data }: TaskListRow): unknown => {
  const shown = parsed(data);
  if (platform !== 'batch' || typeof shown !== 'object' || shown === null) return shown;
  return { ...shown, output: undefined, error: undefined };
};

const work = (row: TaskListRow, isOwn: boolean): TaskRow => ({
  id: row.id,
  created_at: row.created_at,
  updated_at: row.updated_at,
  task_id: idOf(row),
  platform: row.platform,
  user_id: row.user_id,
  channel_id: isOwn ? 0 : row.channel_id,
  quota: row.quota,
  action: row.action,
  status: row.status,
  fail_reason: row.fail_reason,
  submit_time: row.submit_time,
  start_time: row.start_time,
  finish_time: row.finish_time,
  progress: row.progress,
  properties: parsed(row.properties),
  data: dataOf(row),
});

/** Of the list of tasks; drawings have a list of their own. */
const listed: readonly TaskPlatform[] = ['suno', 'video', 'batch'];

export const taskRoutes = ({ db: anyDb, lookups }: ReadDeps): Handlers<typeof taskApi> => {
  const db = anyDb.withTables<TaskListSchema>();

  const drawings = async ({ query }: CallTo<'GET /api/mj/'>, userId: number | null) => {
    const rows = await listTasks(db, {
      platforms: ['mj'],
      userId,
      page: query.p,
      channelId: userId === null ? query.channel_id : 0,
      taskId: query.mj_id,
      action: '',
      status: '',
      from: inMilliseconds(query.start_timestamp),
      to: inMilliseconds(query.end_timestamp),
    });
    const shown = imagesOf(await lookups.options());
    const texts = await withTexts(lookups, rows);
    return ok(texts.map((row) => drawing(row, shown, userId !== null)));
  };

  const others = async ({ query }: CallTo<'GET /api/task/'>, userId: number | null) => {
    const platforms = listed.filter((one) => query.platform === '' || query.platform === one);
    if (platforms.length === 0) return ok([]);
    const rows = await listTasks(db, {
      platforms,
      userId,
      page: query.p,
      channelId: userId === null ? query.channel_id : 0,
      taskId: query.task_id,
      action: query.action,
      status: query.status,
      from: query.start_timestamp,
      to: query.end_timestamp,
    });
    const texts = await withTexts(lookups, rows);
    return ok(texts.map((row) => work(row, userId !== null)));
  };

  return {
    'GET /api/mj/': (call) => drawings(call, null),
    'GET /api/mj/self': (call) => drawings(call, call.caller.id),
    'GET /api/task/': (call) => others(call, null),
    'GET /api/task/self': (call) => others(call, call.caller.id),
  };
};
