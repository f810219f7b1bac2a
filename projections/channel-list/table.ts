import { defineTable, type RowOf, type SchemaOf } from '../runtime/table.ts';

export const channelListTables = {
  channels: defineTable({
    name: 'channels',
    columns: {
      id: 'int8',
      type: 'int8',
      name: 'text',
      /** 1 enabled, 2 disabled manually, 3 disabled automatically. */
      status: 'int8',
      /** Comma lists. */
      models: 'text',
      group: 'text',
      base_url: 'text',
      other: 'text',
      openai_organization: 'text',
      test_model: 'text',
      tag: 'text',
      model_mapping: 'text',
      status_code_mapping: 'text',
      setting: 'text',
      param_override: 'text',
      priority: 'int8',
      weight: 'int8',
      auto_ban: 'bool',
      /** Prompt tokens; 0: no limit. */
      max_input_tokens: 'int8',
      /** A ratio of the list price; "": unknown. */
      cost_ratio: 'text',
      /** In the provider's currency. */
      balance: 'float8',
      /** Unix seconds. */
      balance_updated_time: 'int8',
      /** Quota units. */
      used_quota: 'int8',
      /** Milliseconds. */
      response_time: 'int8',
      /** Unix seconds. */
      test_time: 'int8',
      created_time: 'int8',
      /** Why and when (Unix seconds) the status changed by itself; "" and 0 otherwise. */
      status_reason: 'text',
      status_time: 'int8',
    },
    key: ['id'],
  }),
};

export type ChannelListRow = RowOf<typeof channelListTables.channels>;
export type ChannelListSchema = SchemaOf<'channel_list', typeof channelListTables>;
