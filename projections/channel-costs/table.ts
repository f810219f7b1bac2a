import { defineTable, type RowOf, type SchemaOf } from '../runtime/table.ts';

export const channelCostsTables = {
  /** What the provider of a channel charges, as the operator set it last. */
  ratios: defineTable({
    name: 'ratios',
    columns: {
      channel_id: 'int8',
      /** Of the list price; "": unknown. */
      ratio: 'text',
    },
    key: ['channel_id'],
  }),
  /**
   * Sums of the charges of one hour (its start, Unix seconds) that cost one ratio of the list price.
   * Refunds of tasks are subtracted in the hour in which they were made, so that sums may be negative.
   */
  hours: defineTable({
    name: 'hours',
    columns: {
      hour: 'int8',
      channel_id: 'int8',
      /** In force when the charge was appended to the log; "": unknown. */
      ratio: 'text',
      calls: 'int8',
      /** Quota units that users paid. */
      revenue: 'int8',
      /** Quota units at the list price: what a group with the ratio 1 pays. */
      list: 'int8',
    },
    key: ['hour', 'channel_id', 'ratio'],
    counters: ['calls', 'revenue', 'list'],
  }),
  /** What is left of the charge of a task, which a refund gives back in whole or part. */
  taskCharges: defineTable({
    name: 'task_charges',
    columns: {
      request_id: 'text',
      channel_id: 'int8',
      ratio: 'text',
      revenue: 'int8',
      list: 'int8',
    },
    key: ['request_id'],
  }),
};

export type CostRatioRow = RowOf<typeof channelCostsTables.ratios>;
export type TaskChargeRow = RowOf<typeof channelCostsTables.taskCharges>;
export type ChannelCostsSchema = SchemaOf<'channel_costs', typeof channelCostsTables>;
