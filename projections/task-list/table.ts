import { defineTable, type RowOf, type SchemaOf } from '../runtime/table.ts';

export const taskListTables = {
  tasks: defineTable({
    name: 'tasks',
    columns: {
      /** The request that submitted it. */
      task_id: 'text',
      /** Place of its first event in the log: rises with time. */
      id: 'int8',
      /** `mj`, `suno`, `video`, `batch` or `file`. */
      platform: 'text',
      user_id: 'int8',
      channel_id: 'int8',
      action: 'text',
      /** The provider's number of it; "" while there is none. */
      upstream_id: 'text',
      prompt: 'text',
      prompt_en: 'text',
      description: 'text',
      state: 'text',
      /** Of the provider; 0 while it has not answered. */
      code: 'int8',
      /** Quota units that were charged. */
      quota: 'int8',
      status: 'text',
      progress: 'text',
      image_url: 'text',
      fail_reason: 'text',
      /** JSON texts; "" for none. */
      buttons: 'text',
      properties: 'text',
      data: 'text',
      /** Unix milliseconds, by our clock. */
      submitted_ms: 'int8',
      /** Of the platform: milliseconds of drawings, seconds of others; 0: not yet. */
      submit_time: 'int8',
      start_time: 'int8',
      finish_time: 'int8',
      /** Unix seconds. */
      created_at: 'int8',
      updated_at: 'int8',
      /** It has not ended. */
      is_open: 'bool',
      /** Its owner deleted it: callers of the API do not find it. */
      is_removed: 'bool',
      /**
       * The texts of each event, under the key of the user, for columns above that are empty in the row. A
       * report and a failure replace the ones before.
       */
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

export type TaskListRow = RowOf<typeof taskListTables.tasks>;
export type TaskListSchema = SchemaOf<'task_list', typeof taskListTables>;
