import { tableOf } from '../runtime/table.ts';

export type TopUpRow = Readonly<{
  trade_no: string;
  /** Place in the log of the order; newest first is by it. */
  position: number;
  user_id: number;
  provider: string;
  method: string;
  /** Decimal text. */
  dollars: string;
  /** Whole minor units of `currency`. */
  amount_minor: number;
  currency: string;
  /** Quota units: what the money buys, and the bonus. */
  quota: number;
  bonus_quota: number;
  /** `pending`, `success`, `expired`. */
  status: string;
  /** Paid after it had expired. */
  late: boolean;
  /** `notification` or `query`; "" while unpaid. */
  source: string;
  provider_reference: string;
  /** Where the phone or the screen pays; "" while the provider has not answered. */
  code_url: string;
  /** Unix seconds; 0 not yet. */
  created_time: number;
  expire_time: number;
  paid_time: number;
}>;
/** A grant of the ledger that names an order. */
export type TopUpCreditRow = Readonly<{
  position: number;
  event_id: string;
  trade_no: string;
  user_id: number;
  /** Quota units. */
  quota: number;
  /** Unix seconds. */
  at: number;
}>;
/** A second payment of an order, to be given back by the provider. */
export type TopUpRepeatRow = Readonly<{
  position: number;
  event_id: string;
  trade_no: string;
  user_id: number;
  provider: string;
  /** The provider's number of this payment, and of the one that was credited. */
  provider_reference: string;
  credited_reference: string;
  /** Whole minor units of `currency`. */
  amount_minor: number;
  currency: string;
  /** Unix seconds. */
  at: number;
}>;

export const topUpListTables = {
  orders: tableOf<TopUpRow>()({
    name: 'orders',
    columns: {
      trade_no: 'text',
      position: 'int8',
      user_id: 'int8',
      provider: 'text',
      method: 'text',
      dollars: 'text',
      amount_minor: 'int8',
      currency: 'text',
      quota: 'int8',
      bonus_quota: 'int8',
      status: 'text',
      late: 'bool',
      source: 'text',
      provider_reference: 'text',
      code_url: 'text',
      created_time: 'int8',
      expire_time: 'int8',
      paid_time: 'int8',
    },
    key: ['trade_no'],
    indexes: ['(position)', '(user_id, position)', "(expire_time) WHERE status = 'pending'"],
  }),
  credits: tableOf<TopUpCreditRow>()({
    name: 'credits',
    columns: {
      position: 'int8',
      event_id: 'text',
      trade_no: 'text',
      user_id: 'int8',
      quota: 'int8',
      at: 'int8',
    },
    key: ['position'],
    indexes: ['(trade_no)'],
  }),
  repeats: tableOf<TopUpRepeatRow>()({
    name: 'repeats',
    columns: {
      position: 'int8',
      event_id: 'text',
      trade_no: 'text',
      user_id: 'int8',
      provider: 'text',
      provider_reference: 'text',
      credited_reference: 'text',
      amount_minor: 'int8',
      currency: 'text',
      at: 'int8',
    },
    key: ['position'],
  }),
};
export type TopUpListSchema = {
  'topup_list.orders': TopUpRow;
  'topup_list.credits': TopUpCreditRow;
  'topup_list.repeats': TopUpRepeatRow;
};
