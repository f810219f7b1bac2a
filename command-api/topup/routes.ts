import { reject } from '../../domain/shared/decider.ts';
import { topUpDecider } from '../../domain/topup/decider.ts';
import type { TopUpOffered, TopUpOrdered } from '../../domain/topup/events.ts';
import { moneyText } from '../../domain/topup/quote.ts';
import { topUpStreamId } from '../../domain/topup/stream.ts';
import type { Bus } from '../../infra/ports/bus.ts';
import type { Clock } from '../../infra/ports/clock.ts';
import type { EventStore } from '../../infra/ports/event-store.ts';
import type { Logger } from '../../infra/ports/logger.ts';
import type { Vault } from '../../infra/ports/vault.ts';
import type { CommandHandler } from '../commands/handle-command.ts';
import type { topUpApi, topUpNoticeApi } from '../contract/topup.ts';
import type { Call } from '../http/call.ts';
import type { CallTo, Handlers } from '../http/routes.ts';
import type { Accounts } from '../keeper/accounts.ts';
import type { SiteOptions } from '../options/site-options.ts';
import { epayForm, epaySubmitUrl } from './epay.ts';
import { createLantu, type LantuOrder, type LantuReply } from './lantu.ts';
import { createNotificationRoutes } from './notification-routes.ts';
import { createOrders } from './orders.ts';
import { paid, paying } from './pay-answer.ts';
import { type PaymentSettings, readPaymentSettings } from './payment-settings.ts';
import { createOrderPlacement, expireSeconds } from './place-order.ts';

type Deps = Readonly<{
  eventStore: EventStore;
  bus: Bus;
  vault: Vault;
  clock: Clock;
  logger: Logger;
  commands: CommandHandler;
  options: SiteOptions;
  accounts: Accounts;
}>;

type Order = TopUpOrdered['data'];
type Offer = TopUpOffered['data'];

/** Characters of the site's name that fit on the receipt. */
const nameOnReceipt = 32;
const statusWords = { pending: 'pending', paid: 'success', expired: 'expired' } as const;

type LantuCall = CallTo<'POST /api/user/pay_lantu'>;
type Lantu = ReturnType<typeof createLantu>;
type Place = Partial<Omit<Offer, 'tradeNo'>>;

/** Where an order is to be paid: a code for a screen, or an address for a phone. */
const placeToPay = async (
  lantu: Lantu,
  method: 'qr' | 'h5',
  { order, wallet }: Readonly<{ order: LantuOrder; wallet: string }>,
): Promise<LantuReply<Place>> => {
  if (method === 'qr') return lantu.payByCode(order);
  const reply = await lantu.payByJump(order, wallet);
  return reply.kind === 'done' ? { kind: 'done', data: { payUrl: reply.data } } : reply;
};

export const createTopUpRoutes = (
  deps: Deps,
): Handlers<typeof topUpApi & typeof topUpNoticeApi> => {
  const { clock, logger } = deps;
  const orders = createOrders(deps);
  const placement = createOrderPlacement(deps);

  const amount = async (call: CallTo<'POST /api/user/amount'>) => {
    const quote = await placement.price(call, call.body.amount);
    if ('kind' in quote) return quote;
    const { payableMinor, bonusPercent, bonusQuota, dollars } = quote;
    const bonus = { bonus_ratio: bonusPercent / 100, bonus_quota: bonusQuota };
    return paid(moneyText(payableMinor), { ...bonus, dollars });
  };

  /** What the provider offers is kept, so that a repeated request is paid at the same place. */
  const keepOffer = async (call: Call, offer: Offer): Promise<Offer> => {
    await call.perform(topUpDecider, topUpStreamId(offer.tradeNo), {
      type: 'OfferTopUp',
      data: offer,
    });
    return offer;
  };

  const expireUnoffered = async (
    call: Call,
    tradeNo: string,
    reply: Exclude<LantuReply<unknown>, { kind: 'done' }>,
  ) => {
    logger.warn({ tradeNo, ...reply }, 'the payment provider took no order');
    await call.perform(topUpDecider, topUpStreamId(tradeNo), {
      type: 'ExpireTopUp',
      data: { tradeNo, reason: 'not-offered' },
    });
    return reply.kind === 'refused'
      ? reject('topup.provider-refused', { reason: reply.reason })
      : reject('topup.provider-unavailable');
  };

  const lantuOrder = (order: Order, settings: PaymentSettings): LantuOrder => ({
    tradeNo: order.tradeNo,
    totalFee: moneyText(order.payable.amountMinor),
    body: `${[...settings.siteName].slice(0, nameOnReceipt).join('')} 充值 $${order.dollars}`,
    notifyUrl: `${settings.callbackBase}/api/user/lantu/notify`,
    at: Math.floor(clock().getTime() / 1_000),
  });

  /** Places the order, and requests its payment address from the provider once. */
  const throughLantu = async (call: LantuCall, method: 'qr' | 'h5') => {
    const { amount: wanted } = call.body;
    const quote = await placement.price(call, wanted);
    if ('kind' in quote) return quote;
    const settings = await readPaymentSettings(deps);
    if (settings.lantu === null) return reject('topup.not-configured');
    const placed = await placement.place(call, { amount: wanted, provider: 'lantu', method });
    if (placed.kind === 'rejected') return placed;
    const { order, offer } = placed;
    if (offer !== null) return { kind: 'offered', order, offer } as const;
    const { tradeNo } = order;
    const reply = await placeToPay(createLantu(settings.lantu), method, {
      order: lantuOrder(order, settings),
      wallet: `${settings.siteBase}/topup`,
    });
    if (reply.kind !== 'done') return expireUnoffered(call, tradeNo, reply);
    const none = { tradeNo, codeUrl: '', pictureUrl: '', payUrl: '' };
    const kept = await keepOffer(call, { ...none, ...reply.data });
    return { kind: 'offered', order, offer: kept } as const;
  };

  const payByCode = async (call: LantuCall) => {
    const made = await throughLantu(call, 'qr');
    if (made.kind === 'rejected') return made;
    const { order, offer } = made;
    return paid(
      {
        QRcode_url: offer.pictureUrl,
        code_url: offer.codeUrl,
        trade_no: order.tradeNo,
        expire_seconds: expireSeconds,
        money: moneyText(order.payable.amountMinor),
        bonus_quota: order.bonusQuota,
      },
      undefined,
    );
  };

  const payByJump = async (call: LantuCall) => {
    const made = await throughLantu(call, 'h5');
    if (made.kind === 'rejected') return made;
    return paid(made.offer.payUrl, { trade_no: made.order.tradeNo });
  };

  const payByForm = async (call: CallTo<'POST /api/user/pay'>) => {
    const { amount: wanted, payment_method } = call.body;
    const quote = await placement.price(call, wanted);
    if ('kind' in quote) return quote;
    const { epay, callbackBase, siteBase } = await readPaymentSettings(deps);
    if (epay === null) return reject('topup.not-configured');
    const method = payment_method === 'zfb' ? 'alipay' : 'wxpay';
    const placed = await placement.place(call, { amount: wanted, provider: 'epay', method });
    if (placed.kind === 'rejected') return placed;
    const { tradeNo, payable } = placed.order;
    const url = epaySubmitUrl(epay);
    const offer = { tradeNo, codeUrl: '', pictureUrl: '', payUrl: url };
    if (placed.offer === null) await keepOffer(call, offer);
    const form = epayForm(epay, {
      type: method,
      tradeNo,
      notifyUrl: `${callbackBase}/api/user/epay/notify`,
      returnUrl: `${siteBase}/log`,
      name: `TUC${wanted}`,
      money: moneyText(payable.amountMinor),
    });
    return paid(form, { url, trade_no: tradeNo });
  };

  /** For every provider alike; another user's order is as unknown as one that never was. */
  const status = async (call: CallTo<'GET /api/user/lantu_status'>) => {
    const { trade_no } = call.query;
    const state = await orders.follow(call, trade_no);
    if (state.status === 'absent') return reject('topup.unknown-order');
    const word = statusWords[state.status];
    return paid({ status: word }, { status: word });
  };

  return {
    'POST /api/user/amount': paying(amount),
    'POST /api/user/pay_lantu': paying(payByCode),
    'POST /api/user/pay_lantu_h5': paying(payByJump),
    'POST /api/user/pay': paying(payByForm),
    'GET /api/user/lantu_status': paying(status),
    'GET /api/user/hw_payment_status': paying(status),
    ...createNotificationRoutes(deps, orders),
  };
};
