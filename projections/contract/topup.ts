import { z } from 'zod';
import { pageOf } from './envelope.ts';
import { topUpSearchQuery } from './query.ts';
import { route } from './route.ts';

const topUpStatus = z.enum(['pending', 'success', 'expired']);
export type TopUpStatus = z.infer<typeof topUpStatus>;

/** Quota in quota units, times in Unix seconds; 0 not yet. */
const topUpRow = z.object({
  trade_no: z.string(),
  user_id: z.number().int(),
  username: z.string(),
  /** Dollars, decimal text. */
  amount: z.string(),
  /** What is paid, text with two decimals, in `currency`. */
  money: z.string(),
  currency: z.string(),
  quota: z.number().int(),
  bonus_quota: z.number().int(),
  /** Quota units that the ledger granted for it. */
  credited_quota: z.number().int(),
  provider: z.string(),
  method: z.string(),
  provider_reference: z.string(),
  status: topUpStatus,
  /** Paid after it had expired. */
  late: z.boolean(),
  /** `weixin://…` of an order that waits to be paid, to be drawn as a QR code; else "". */
  code_url: z.string(),
  create_time: z.number().int(),
  expire_time: z.number().int(),
  paid_time: z.number().int(),
});
export type TopUpOrderRow = z.infer<typeof topUpRow>;

const topUpPage = pageOf(topUpRow);

/** A grant without money, with too little, or for the second time. */
const wrongCredit = z.object({
  event_id: z.string(),
  trade_no: z.string(),
  user_id: z.number().int(),
  username: z.string(),
  quota: z.number().int(),
  at: z.number().int(),
  problem: z.enum(['not-paid', 'other-amount', 'other-user', 'credited-before']),
});

/** A second payment of an order; nothing was credited for it. */
const repeatedPayment = z.object({
  event_id: z.string(),
  trade_no: z.string(),
  user_id: z.number().int(),
  username: z.string(),
  provider: z.string(),
  /** The provider's number of this payment, and of the one that was credited. */
  provider_reference: z.string(),
  credited_reference: z.string(),
  /** Text with two decimals, in `currency`. */
  money: z.string(),
  currency: z.string(),
  /** Unix seconds. */
  at: z.number().int(),
});

/**
 * `paid_not_credited` and `credited_not_paid` have to be empty; the operator refunds `paid_again` at the provider.
 */
const reconciliation = z.object({
  /** When this was worked out, Unix seconds, and how far in the log; decimal text. */
  checked_at: z.number().int(),
  position: z.string(),
  paid: z.object({
    count: z.number().int(),
    /** Text with two decimals. */
    money: z.string(),
    currency: z.string(),
    quota: z.number().int(),
    /** Orders that were paid after they had expired. */
    late: z.number().int(),
  }),
  credited: z.object({ count: z.number().int(), quota: z.number().int() }),
  /** Paid within the last minute and not credited yet. */
  settling: z.number().int(),
  paid_not_credited: z.array(topUpRow),
  credited_not_paid: z.array(wrongCredit),
  paid_again: z.array(repeatedPayment),
});
export type Reconciliation = z.infer<typeof reconciliation>;

export const topUpApi = {
  'GET /api/topup/': route('admin', 'Lists the orders of all users, newest first.', {
    query: topUpSearchQuery,
    data: topUpPage,
  }),
  'GET /api/topup/self': route('user', 'Lists the own orders, newest first.', {
    query: topUpSearchQuery,
    data: topUpPage,
  }),
  'GET /api/topup/reconciliation': route('admin', 'Compares payments with credits.', {
    data: reconciliation,
  }),
};
