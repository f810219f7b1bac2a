import { minorOf } from '../../domain/topup/quote.ts';
import { notificationFields } from '../contract/topup.ts';
import { verbatim } from '../http/answer.ts';
import type { Call } from '../http/call.ts';
import type { Routes } from '../http/routes.ts';
import type { Services } from '../services.ts';
import { isEpayNotice } from './epay.ts';
import { createLantu, isLantuNotice } from './lantu.ts';
import type { Orders, Payment } from './orders.ts';
import { type LantuAccount, readPaymentSettings } from './payment-settings.ts';
import type { Fields } from './signature.ts';

/** Why a notice was turned away. Goes to the log only: a forger learns nothing. */
type Verdict =
  | 'credited'
  | 'nothing-to-credit'
  | 'not-configured'
  | 'wrong-signature'
  | 'wrong-merchant'
  | 'wrong-amount'
  | 'unknown-order'
  | 'provider-says-unpaid'
  | 'refused';
const isHeard = (verdict: Verdict): boolean =>
  verdict === 'credited' || verdict === 'nothing-to-credit';

const fieldsOf = (source: unknown): Fields => {
  const parsed = notificationFields.safeParse(source ?? {});
  const entries = Object.entries(parsed.data ?? {});
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
};

/** Where providers say that an order was paid: nobody signs in here, the signature is all. */
export const createNotificationRoutes = (services: Services, orders: Orders): Routes => {
  const { clock, logger } = services;

  type Notice = Omit<Payment, 'source' | 'amountMinor'> & Readonly<{ sum: string }>;

  const warnOfSecond = (notice: Omit<Notice, 'sum'>, first: string): void => {
    if (notice.providerReference === first) return;
    logger.error({ ...notice, first }, 'an order was paid twice; the second payment is not ours');
  };

  const credit = async (
    call: Call,
    { sum, ...notice }: Notice,
    confirmElsewhere: () => Promise<boolean>,
  ): Promise<Verdict> => {
    const state = await orders.load(notice.tradeNo);
    if (state.status === 'absent' || state.order.provider !== notice.provider) {
      return 'unknown-order';
    }
    const amountMinor = minorOf(sum);
    if (amountMinor !== state.order.payable.amountMinor) return 'wrong-amount';
    if (state.status !== 'paid' && !(await confirmElsewhere())) return 'provider-says-unpaid';
    if (state.status === 'paid') warnOfSecond(notice, state.providerReference);
    const payment: Payment = { ...notice, amountMinor, source: 'notification' };
    const because = { metadata: call.metadata, ip: call.ip };
    const result = call.note(await orders.confirm(payment, because));
    return result.kind === 'accepted' ? 'credited' : 'refused';
  };

  /** A second source. One that does not answer does not count, the signature still does. */
  const isPaidByQuery = async (account: LantuAccount, tradeNo: string): Promise<boolean> => {
    const at = Math.floor(clock().getTime() / 1_000);
    const reply = await createLantu(account).query(tradeNo, at);
    if (reply.kind === 'done') return reply.data.paid;
    logger.warn({ tradeNo, ...reply }, 'the payment provider does not tell about an order');
    return true;
  };

  const fromLantu = async (call: Call, fields: Fields): Promise<Verdict> => {
    const { lantu } = await readPaymentSettings(services);
    if (lantu === null) return 'not-configured';
    if (!isLantuNotice(fields, lantu.secret)) return 'wrong-signature';
    if (fields.mch_id !== lantu.merchantId) return 'wrong-merchant';
    if (fields.code !== '0') return 'nothing-to-credit';
    const tradeNo = fields.out_trade_no ?? '';
    const providerReference = fields.order_no || (fields.pay_no ?? '');
    const notice = { tradeNo, provider: 'lantu', providerReference } as const;
    return credit(call, { ...notice, sum: fields.total_fee ?? '' }, () =>
      isPaidByQuery(lantu, tradeNo),
    );
  };

  const fromEpay = async (call: Call, fields: Fields): Promise<Verdict> => {
    const { epay } = await readPaymentSettings(services);
    if (epay === null) return 'not-configured';
    if (!isEpayNotice(fields, epay.secret)) return 'wrong-signature';
    if (fields.pid !== epay.merchantId) return 'wrong-merchant';
    if (fields.trade_status !== 'TRADE_SUCCESS') return 'nothing-to-credit';
    const tradeNo = fields.out_trade_no ?? '';
    const notice = { tradeNo, provider: 'epay', providerReference: fields.trade_no ?? '' } as const;
    return credit(call, { ...notice, sum: fields.money ?? '' }, async () => true);
  };

  const answered = (
    hear: (call: Call, fields: Fields) => Promise<Verdict>,
    words: Readonly<{ heard: string; not: string }>,
  ) => {
    return async (call: Call, source: unknown) => {
      const fields = fieldsOf(source);
      const verdict = await hear(call, fields);
      if (isHeard(verdict)) return verbatim(words.heard);
      const tradeNo = (fields.out_trade_no ?? '').slice(0, 64);
      logger.warn({ verdict, tradeNo, ip: call.ip }, 'a payment notice was turned away');
      return verbatim(words.not);
    };
  };
  const lantuNotice = answered(fromLantu, { heard: 'SUCCESS', not: 'FAIL' });
  const epayNotice = answered(fromEpay, { heard: 'success', not: 'fail' });

  return {
    'POST /api/user/lantu/notify': (call) => lantuNotice(call, call.request.body),
    'GET /api/user/epay/notify': (call) => epayNotice(call, call.request.query),
    'POST /api/user/epay/notify': (call) => epayNotice(call, call.request.body),
  };
};
