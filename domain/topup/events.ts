import { defineEvents, type EventsOf } from '../shared/catalogue.ts';
import { userId } from '../shared/ids.ts';
import { quotaUnits } from '../shared/quota.ts';
import {
  decimal,
  flag,
  type Infer,
  instant,
  number,
  object,
  type Shape,
  text,
  textOf,
  whole,
} from '../shared/shape.ts';

/** `USR<user id>NO<6 letters or digits><unix seconds>`; unique for ever, chosen by us. */
export type TradeNo = string;

export type PaymentProvider = 'lantu' | 'epay';
/** How the person pays: a QR code on a screen, a jump on a phone, or a form of the gateway. */
export type PaymentMethod = 'qr' | 'h5' | 'wxpay' | 'alipay';

/** Whole minor units: 7200 CNY are 72.00 yuan. */
const money = object({ amountMinor: whole, currency: textOf<'CNY'>() });
export type Money = Infer<typeof money>;

/** What the price of an order was made of; `quoteTopUp(terms)` gives the figures again. */
const terms = object({
  /** As ordered: whole dollars, or quota units where the site shows no currency. */
  amount: number,
  inCurrency: flag,
  /** Currency units for a dollar. */
  price: decimal,
  group: text,
  /** Above 0. */
  groupRatio: decimal,
  /** Quota units for a dollar. */
  quotaPerUnit: decimal,
});
export type TopUpTerms = Infer<typeof terms>;

const tradeNo: Shape<TradeNo> = text;
const provider = textOf<PaymentProvider>();
const audited = defineEvents('topup', 'topup');
const unaudited = defineEvents('topup', null);

export const topUpEvents = {
  /** A person orders quota. Price and bonus are fixed from here on. */
  TopUpOrdered: audited({
    tradeNo,
    userId,
    provider,
    method: textOf<PaymentMethod>(),
    terms,
    dollars: decimal,
    payable: money,
    /** What the money buys, and what is added to it. */
    quota: quotaUnits,
    bonusQuota: quotaUnits,
    /** A payment after it still counts. */
    expiresAt: instant,
  }),
  /** The provider opened the order, and this is where it is paid. A repeated request answers with it. */
  TopUpOffered: unaudited({
    tradeNo,
    /** `weixin://…`, drawn as a QR code; "" where there is none. */
    codeUrl: text,
    /** Address of a picture of that code; "" where there is none. */
    pictureUrl: text,
    /** Where a phone is sent to; "" where there is none. */
    payUrl: text,
  }),
  /** The order was paid. `quota` is all that is credited for it, the bonus included. */
  TopUpPaid: audited({
    tradeNo,
    userId,
    provider,
    /** The provider's own number of the payment. */
    providerReference: text,
    paid: money,
    quota: quotaUnits,
    bonusQuota: quotaUnits,
    /** How the payment was reported: by the provider itself, or in answer to a query. */
    source: textOf<'notification' | 'query'>(),
    /** The order had expired by then. */
    late: flag,
  }),
  /**
   * A paid order was paid a second time. Nothing is credited for it: the operator refunds it at the
   * provider, where it is found by `providerReference`.
   */
  TopUpPaidAgain: audited({
    tradeNo,
    userId,
    provider,
    providerReference: text,
    /** The number of the payment that was credited. */
    creditedReference: text,
    paid: money,
  }),
  /** The order was not paid in time, or the provider did not accept it. */
  TopUpExpired: audited({
    tradeNo,
    userId,
    reason: textOf<'time' | 'not-offered'>(),
  }),
};

type Events = EventsOf<typeof topUpEvents>;
export type TopUpOrdered = Events['TopUpOrdered'];
export type TopUpOffered = Events['TopUpOffered'];
export type TopUpPaid = Events['TopUpPaid'];
export type TopUpPaidAgain = Events['TopUpPaidAgain'];
export type TopUpExpired = Events['TopUpExpired'];
export type TopUpEvent = Events[keyof Events];
