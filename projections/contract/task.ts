import { z } from 'zod';
import { drawingListQuery, taskListQuery } from './query.ts';
import { route } from './route.ts';

/** One drawing; times in Unix milliseconds but `created_at`, which has seconds. */
const drawingRow = z.object({
  id: z.number().int(),
  created_at: z.number().int(),
  /**
   * 0 not submitted, 1 submitted, 21 waiting, 22 submitted twice; others are reasons against it.
   */
  code: z.number().int(),
  user_id: z.number().int(),
  action: z.string(),
  /** The provider's number of it. */
  mj_id: z.string(),
  prompt: z.string(),
  prompt_en: z.string(),
  description: z.string(),
  state: z.string(),
  submit_time: z.number().int(),
  start_time: z.number().int(),
  finish_time: z.number().int(),
  image_url: z.string(),
  status: z.string(),
  /** Percent, such as `37%`. */
  progress: z.string(),
  fail_reason: z.string(),
  /** 0 for ordinary users. */
  channel_id: z.number().int(),
  /** Quota units; 0 for ordinary users. */
  quota: z.number().int(),
  /** JSON texts. */
  buttons: z.string(),
  properties: z.string(),
});
export type DrawingRow = z.infer<typeof drawingRow>;

/** One piece of music, one video or one batch; times in Unix seconds. */
const taskRow = z.object({
  id: z.number().int(),
  created_at: z.number().int(),
  updated_at: z.number().int(),
  /** Id for callers: the provider's number of music, ours of a video or a batch. */
  task_id: z.string(),
  platform: z.string(),
  user_id: z.number().int(),
  /** 0 for ordinary users. */
  channel_id: z.number().int(),
  /** Quota units. */
  quota: z.number().int(),
  /** MUSIC, LYRICS, VIDEO or REMIX. */
  action: z.string(),
  status: z.string(),
  fail_reason: z.string(),
  submit_time: z.number().int(),
  start_time: z.number().int(),
  finish_time: z.number().int(),
  progress: z.string(),
  /**
   * The request, and its result. Of a video: model, seconds and size; of a batch: model and
   * estimate.
   */
  properties: z.unknown(),
  data: z.unknown(),
});
export type TaskRow = z.infer<typeof taskRow>;

/** 10 rows, newest first, without a total. */
const drawings = { query: drawingListQuery, data: z.array(drawingRow) };
const tasks = { query: taskListQuery, data: z.array(taskRow) };

export const taskApi = {
  'GET /api/mj/': route('admin', 'Lists drawings.', drawings),
  'GET /api/mj/self': route('user', 'Lists own drawings.', drawings),
  'GET /api/task/': route('admin', 'Lists music, videos and batches.', tasks),
  'GET /api/task/self': route('user', 'Lists own music, videos and batches.', tasks),
};
