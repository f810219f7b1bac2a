import { z } from 'zod';

/** Whole dollars, or quota units where the site shows no currency. Refused by the rules, not here. */
const amount = z.number().int();
/** Taken and not looked at: nothing in the product uses it. */
const topUpCode = z.string().max(200).optional();

/** POST /api/user/amount. Answers with the payable sum, as text with two decimals. */
export const amountBody = z.object({ amount, top_up_code: topUpCode });
/** POST /api/user/pay_lantu and POST /api/user/pay_lantu_h5 */
export const payLantuBody = z.object({ amount });
/** POST /api/user/pay. Everything but `zfb` is paid by WeChat. */
export const payEpayBody = z.object({
  amount,
  payment_method: z.string().max(20).optional(),
  top_up_code: topUpCode,
});
/** GET /api/user/lantu_status and GET /api/user/hw_payment_status */
export const tradeNoQuery = z.object({ trade_no: z.string().max(100).default('') });

/** What a provider of payments sends, by its own names. Members that are not text do not count. */
export const notificationFields = z.record(z.string().max(100), z.unknown());
