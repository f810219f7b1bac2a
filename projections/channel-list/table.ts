import { tableOf } from '../runtime/table.ts';

export type ChannelListRow = Readonly<{
  id: number;
  type: number;
  name: string;
  /** 1 enabled, 2 disabled manually, 3 disabled automatically. */
  status: number;
  /** Comma lists. */
  models: string;
  group: string;
  base_url: string;
  other: string;
  openai_organization: string;
  test_model: string;
  tag: string;
  model_mapping: string;
  status_code_mapping: string;
  setting: string;
  param_override: string;
  priority: number;
  weight: number;
  auto_ban: boolean;
  /** Prompt tokens; 0: no limit. */
  max_input_tokens: number;
  /** A ratio of the list price; "": unknown. */
  cost_ratio: string;
  /** In the provider's currency. */
  balance: number;
  /** Unix seconds. */
  balance_updated_time: number;
  /** Quota units. */
  used_quota: number;
  /** Milliseconds. */
  response_time: number;
  /** Unix seconds. */
  test_time: number;
  created_time: number;
  /** Why and when (Unix seconds) the status changed by itself; "" and 0 otherwise. */
  status_reason: string;
  status_time: number;
}>;

export const channelListTables = {
  channels: tableOf<ChannelListRow>()({
    name: 'channels',
    columns: {
      id: 'int8',
      type: 'int8',
      name: 'text',
      status: 'int8',
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
      max_input_tokens: 'int8',
      cost_ratio: 'text',
      balance: 'float8',
      balance_updated_time: 'int8',
      used_quota: 'int8',
      response_time: 'int8',
      test_time: 'int8',
      created_time: 'int8',
      status_reason: 'text',
      status_time: 'int8',
    },
    key: ['id'],
  }),
};
export type ChannelListSchema = { 'channel_list.channels': ChannelListRow };
