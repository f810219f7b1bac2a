import { defineTable, type RowOf, type SchemaOf } from '../runtime/table.ts';

export const topUpListTables = {
  orders: defineTable({
    name: 'orders',
    columns: {
      trade_no: 'text',
      /** Place in the log of the order; newest first is by it. */
      position: 'int8',
      user_id: 'int8',
      provider: 'text',
      method: 'text',
      /** Decimal text. */
      dollars: 'text',
      /** Whole minor units of `currency`. */
      amount_minor: 'int8',
      currency: 'text',
      /** Quota units: what the money buys, and the bonus. */
      quota: 'int8',
      bonus_quota: 'int8',
      /** `pending`, `success`, `expired`. */
      status: 'text',
      /** Paid after it had expired. */
      late: 'bool',
      /** `notification` or `query`; "" while unpaid. */
      source: 'text',
      provider_reference: 'text',
      /** Where the phone or the screen pays; "" while the provider has not answered. */
      code_url: 'text',
      /** Unix seconds; 0 not yet. */
      created_time: 'int8',
      expire_time: 'int8',
      paid_time: 'int8',
    },
    key: ['trade_no'],
    indexes: ['(position)', '(user_id, position)', "(expire_time) WHERE status = 'pending'"],
  }),
  /** A grant of the ledger that names an order. */
  credits: defineTable({
    name: 'credits',
    columns: {
      position: 'int8',
      event_id: 'text',
      trade_no: 'text',
      user_id: 'int8',
      /** Quota units. */
      quota: 'int8',
      /** Unix seconds. */
      at: 'int8',
    },
    key: ['position'],
    indexes: ['(trade_no)'],
  }),
  /** A second payment of an order, to be given back by the provider. */
  repeats: defineTable({
    name: 'repeats',
    columns: {
      position: 'int8',
      event_id: 'text',
      trade_no: 'text',
      user_id: 'int8',
      provider: 'text',
      /** The provider's number of this payment, and of the one that was credited. */
      provider_reference: 'text',
      credited_reference: 'text',
      /** Whole minor units of `currency`. */
      amount_minor: 'int8',
      currency: 'text',
      /** Unix seconds. */
      at: 'int8',
    },
    key: ['position'],
  }),
};

export type TopUpRow = RowOf<typeof topUpListTables.orders>;
export type TopUpCreditRow = RowOf<typeof topUpListTables.credits>;
export type TopUpRepeatRow = RowOf<typeof topUpListTables.repeats>;
export type TopUpListSchema = SchemaOf<'topup_list', typeof topUpListTables>;
