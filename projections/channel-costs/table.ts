import { tableOf } from '../runtime/table.ts';

/** What the provider of a channel charges, as the operator set it last. */
export type CostRatioRow = Readonly<{
  channel_id: number;
  /** Of the list price; "": unknown. */
  ratio: string;
}>;
/**
 * Sums of the charges of one hour (its start, Unix seconds) that cost one ratio of the list price.
 * Refunds of tasks are subtracted in the hour in which they were made, so that sums may be negative.
 */
export type CostHourRow = Readonly<{
  hour: number;
  channel_id: number;
  /** In force when the charge was appended to the log; "": unknown. */
  ratio: string;
  calls: number;
  /** Quota units that users paid. */
  revenue: number;
  /** Quota units at the list price: what a group with the ratio 1 pays. */
  list: number;
}>;
/** What is left of the charge of a task, which a refund gives back in whole or part. */
export type TaskChargeRow = Readonly<{
  request_id: string;
  channel_id: number;
  ratio: string;
  revenue: number;
  list: number;
}>;

export const channelCostsTables = {
  ratios: tableOf<CostRatioRow>()({
    name: 'ratios',
    columns: { channel_id: 'int8', ratio: 'text' },
    key: ['channel_id'],
  }),
  hours: tableOf<CostHourRow>()({
    name: 'hours',
    columns: {
      hour: 'int8',
      channel_id: 'int8',
      ratio: 'text',
      calls: 'int8',
      revenue: 'int8',
      list: 'int8',
    },
    key: ['hour', 'channel_id', 'ratio'],
    counters: ['calls', 'revenue', 'list'],
  }),
  taskCharges: tableOf<TaskChargeRow>()({
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
export type ChannelCostsSchema = { 'channel_costs.hours': CostHourRow };
