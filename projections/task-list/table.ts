import { tableOf } from '../runtime/table.ts';

export type TaskListRow = Readonly<{
  /** The request that submitted it. */
  task_id: string;
  /** Place of its first event in the log: rises with time. */
  id: number;
  /** `mj`, `suno`, `video`, `batch` or `file`. */
  platform: string;
  user_id: number;
  channel_id: number;
  action: string;
  /** The provider's number of it; "" while there is none. */
  upstream_id: string;
  prompt: string;
  prompt_en: string;
  description: string;
  state: string;
  /** Of the provider; 0 while it has not answered. */
  code: number;
  /** Quota units that were charged. */
  quota: number;
  status: string;
  progress: string;
  image_url: string;
  fail_reason: string;
  /** JSON texts; "" for none. */
  buttons: string;
  properties: string;
  data: string;
  /** Unix milliseconds, by our clock. */
  submitted_ms: number;
  /** Of the platform: milliseconds of drawings, seconds of others; 0: not yet. */
  submit_time: number;
  start_time: number;
  finish_time: number;
  /** Unix seconds. */
  created_at: number;
  updated_at: number;
  /** It has not ended. */
  is_open: boolean;
  /** Its owner deleted it: callers of the API do not find it. */
  is_removed: boolean;
  /**
   * The texts of each event, under the key of the user, for columns above that are empty in the row. A
   * report and a failure replace the ones before.
   */
  sealed_ask: string;
  sealed_answer: string;
  sealed_report: string;
  sealed_failure: string;
}>;

export const taskListTables = {
  tasks: tableOf<TaskListRow>()({
    name: 'tasks',
    columns: {
      task_id: 'text',
      id: 'int8',
      platform: 'text',
      user_id: 'int8',
      channel_id: 'int8',
      action: 'text',
      upstream_id: 'text',
      prompt: 'text',
      prompt_en: 'text',
      description: 'text',
      state: 'text',
      code: 'int8',
      quota: 'int8',
      status: 'text',
      progress: 'text',
      image_url: 'text',
      fail_reason: 'text',
      buttons: 'text',
      properties: 'text',
      data: 'text',
      submitted_ms: 'int8',
      submit_time: 'int8',
      start_time: 'int8',
      finish_time: 'int8',
      created_at: 'int8',
      updated_at: 'int8',
      is_open: 'bool',
      is_removed: 'bool',
      sealed_ask: 'text',
      sealed_answer: 'text',
      sealed_report: 'text',
      sealed_failure: 'text',
    },
    key: ['task_id'],
    writeIndexes: ['(user_id)'],
    indexes: [
      '(platform, id)',
      '(platform, user_id, id)',
      '(platform, upstream_id)',
      '(platform, id) WHERE is_open',
    ],
  }),
};
export type TaskListSchema = { 'task_list.tasks': TaskListRow };
