import type { TopUpEvent } from '../../domain/topup/events.ts';
import { minorOf } from '../../domain/topup/quote.ts';
import type { Clock } from '../../infra/ports/clock.ts';
import type { Logger } from '../../infra/ports/logger.ts';
import type { Vault } from '../../infra/ports/vault.ts';
import { notificationFields, type topUpNoticeApi } from '../contract/topup.ts';
import type { Call } from '../http/call.ts';
import type { Handlers } from '../http/routes.ts';
import type { SiteOptions } from '../options/site-options.ts';
import { isEpayNotice } from './epay.ts';
import { createLantu, isLantuNotice } from './lantu.ts';
import type { Orders, Payment } from './orders.ts';
import { type LantuAccount, readPaymentSettings } from './payment-settings.ts';
import type { Fields } from './signature.ts';

type Deps = Readonly<{
  vault: Vault;
  clock: Clock;
  logger: Logger;
  options: SiteOptions;
}>;

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
const isAcknowledged = (verdict: Verdict): boolean =>
  verdict === 'credited' || verdict === 'nothing-to-credit';

const fieldsOf = (source: unknown): Fields => {
  const parsed = notificationFields.safeParse(source ?? {});
  const entries = Object.entries(parsed.data ?? {});
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
};

/**
 * Addresses to which providers report paid orders: there is no sign-in here, the signature is the
 * only proof.
 */
export const createNotificationRoutes = (
  deps: Deps,
  orders: Orders,
): Handlers<typeof topUpNoticeApi> => {
  const { clock, logger } = deps;

  type Notice = Omit<Payment, 'source' | 'amountMinor'> & Readonly<{ sum: string }>;

  const reportPaidAgain = (events: readonly TopUpEvent[]): void => {
    for (const { type, data } of events) {
      if (type === 'TopUpPaidAgain')
        logger.error(data, 'an order was paid twice: refund the second');
    }
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
    const payment: Payment = { ...notice, amountMinor, source: 'notification' };
    const because = { metadata: call.metadata, ip: call.ip };
    const result = call.note(await orders.confirm(payment, because));
    if (result.kind === 'rejected') return 'refused';
    if (!result.repeated) reportPaidAgain(result.events);
    return 'credited';
  };

  /** A second source. One that does not answer does not count, the signature still does. */
  const isPaidByQuery = async (account: LantuAccount, tradeNo: string): Promise<boolean> => {
    const at = Math.floor(clock().getTime() / 1_000);
    const reply = await createLantu(account).query(tradeNo, at);
    if (reply.kind === 'done') return reply.data.paid;
    logger.warn({ tradeNo, ...reply }, 'the payment provider could not be queried about an order');
    return true;
  };

  const fromLantu = async (call: Call, fields: Fields): Promise<Verdict> => {
    const { lantu } = await readPaymentSettings(deps);
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
    const { epay } = await readPaymentSettings(deps);
    if (epay === null) return 'not-configured';
    if (!isEpayNotice(fields, epay.secret)) return 'wrong-signature';
    if (fields.pid !== epay.merchantId) return 'wrong-merchant';
    if (fields.trade_status !== 'TRADE_SUCCESS') return 'nothing-to-credit';
    const tradeNo = fields.out_trade_no ?? '';
    const notice = { tradeNo, provider: 'epay', providerReference: fields.trade_no ?? '' } as const;
    return credit(call, { ...notice, sum: fields.money ?? '' }, async () => true);
  };

  const answered = <T extends string>(
    check: (call: Call, fields: Fields) => Promise<Verdict>,
    words: Readonly<{ reported: T; not: T }>,
  ) => {
    return async (call: Call, source: unknown) => {
      const fields = fieldsOf(source);
      const verdict = await check(call, fields);
      if (isAcknowledged(verdict)) return { kind: 'text', text: words.reported } as const;
      const tradeNo = (fields.out_trade_no ?? '').slice(0, 64);
      logger.warn({ verdict, tradeNo, ip: call.ip }, 'a payment notice was turned away');
      return { kind: 'text', text: words.not } as const;
    };
  };
  const lantuNotice = answered(fromLantu, { reported: 'SUCCESS', not: 'FAIL' });
  const epayNotice = answered(fromEpay, { reported: 'success', not: 'fail' });

  return {
    'POST /api/user/lantu/notify': (call) => lantuNotice(call, call.request.body),
    'GET /api/user/epay/notify': (call) => epayNotice(call, call.request.query),
    'POST /api/user/epay/notify': (call) => epayNotice(call, call.request.body),
  };
};
