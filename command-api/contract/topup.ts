import { z } from 'zod';
import { route } from './route.ts';

/** Whole dollars, or quota units where the site shows no currency. Refused by the rules, not here. */
const amount = z.number().int();
/** Accepted and not read: nothing in the product uses it. */
const topUpCode = z.string().max(200).optional();
const payLantuBody = z.object({ amount });
const tradeNoQuery = z.object({ trade_no: z.string().max(100).default('') });

/** Payable sums are text with two decimals; `message` is `success` or, of a refusal, `error`. */
const orderStatus = z.enum(['pending', 'success', 'expired']);
const tracked = {
  query: tradeNoQuery,
  data: z.object({ status: orderStatus }),
  extra: z.object({ status: orderStatus }),
  guards: ['no-cross-site'],
} as const;

/** What a payment provider sends, by its own names. Members that are not text do not count. */
export const notificationFields = z.record(z.string().max(100), z.unknown());
const epayReply = z.enum(['success', 'fail']);

export const topUpApi = {
  'POST /api/user/amount': route('user', 'Returns what an amount costs.', {
    body: z.object({ amount, top_up_code: topUpCode }),
    data: z.string(),
    /** `bonus_quota` in units. */
    extra: z.object({ bonus_ratio: z.number(), bonus_quota: z.number(), dollars: z.string() }),
  }),
  'POST /api/user/pay_lantu': route('user', 'Places an order that is paid by scanning a code.', {
    body: payLantuBody,
    data: z.object({
      /** A picture of the code; "" where `code_url` (`weixin://…`) is drawn by the client. */
      QRcode_url: z.string(),
      code_url: z.string(),
      trade_no: z.string(),
      expire_seconds: z.number().int(),
      money: z.string(),
      bonus_quota: z.number().int(),
    }),
  }),
  'POST /api/user/pay_lantu_h5': route('user', 'Places an order; returns the address to pay at.', {
    body: payLantuBody,
    data: z.string(),
    extra: z.object({ trade_no: z.string() }),
  }),
  'POST /api/user/pay': route('user', 'Places an order; returns the form to send to `url`.', {
    /** Everything but `zfb` is paid by WeChat. */
    body: z.object({
      amount,
      payment_method: z.string().max(20).optional(),
      top_up_code: topUpCode,
    }),
    data: z.record(z.string(), z.string()),
    extra: z.object({ url: z.string(), trade_no: z.string() }),
  }),
  'GET /api/user/lantu_status': route('user', 'Returns how far an order is.', tracked),
  'GET /api/user/hw_payment_status': route('user', 'Returns how far an order is.', tracked),
};

export const topUpNoticeApi = {
  'POST /api/user/lantu/notify': route('public', 'Takes a payment notice of LantuPay.', {
    body: notificationFields,
    text: z.enum(['SUCCESS', 'FAIL']),
    guards: ['signed', 'form'],
  }),
  'GET /api/user/epay/notify': route('public', 'Takes a payment notice of EPay.', {
    query: notificationFields,
    text: epayReply,
    guards: ['signed'],
  }),
  'POST /api/user/epay/notify': route('public', 'Takes a payment notice of EPay.', {
    body: notificationFields,
    text: epayReply,
    guards: ['signed', 'form'],
  }),
};
