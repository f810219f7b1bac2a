import type { Event } from '../shared/event.ts';
import type { UserId } from '../shared/ids.ts';
import type { QuotaUnits } from '../shared/quota.ts';

/** `USR<user id>NO<6 letters or digits><unix seconds>`; unique for ever, chosen by us. */
export type TradeNo = string;

export type PaymentProvider = 'lantu' | 'epay';
/** How the person pays: a QR code on a screen, a jump on a phone, or a form of the gateway. */
export type PaymentMethod = 'qr' | 'h5' | 'wxpay' | 'alipay';

/** Whole minor units: 7200 CNY are 72.00 yuan. */
export type Money = Readonly<{ amountMinor: number; currency: 'CNY' }>;

/** What the price of an order was made of; `quoteTopUp(terms)` gives the figures again. */
export type TopUpTerms = Readonly<{
  /** As ordered: whole dollars, or quota units where the site shows no currency. */
  amount: number;
  inCurrency: boolean;
  /** Decimal text: currency units for a dollar. */
  price: string;
  group: string;
  /** Decimal text, above 0. */
  groupRatio: string;
  /** Decimal text: quota units for a dollar. */
  quotaPerUnit: string;
}>;

/** A person wants to buy quota. Price and bonus are fixed from here on. */
export type TopUpOrdered = Event<
  'TopUpOrdered',
  {
    tradeNo: TradeNo;
    userId: UserId;
    provider: PaymentProvider;
    method: PaymentMethod;
    terms: TopUpTerms;
    /** Decimal text. */
    dollars: string;
    payable: Money;
    /** What the money buys, and what is added to it. */
    quota: QuotaUnits;
    bonusQuota: QuotaUnits;
    /** ISO-8601. A payment after it still counts. */
    expiresAt: string;
  }
>;
/** The provider opened the order, and this is where it is paid. A repeated request answers with it. */
export type TopUpOffered = Event<
  'TopUpOffered',
  {
    tradeNo: TradeNo;
    /** `weixin://…`, drawn as a QR code; "" where there is none. */
    codeUrl: string;
    /** Address of a picture of that code; "" where there is none. */
    pictureUrl: string;
    /** Where a phone is sent to; "" where there is none. */
    payUrl: string;
  }
>;
/** The money came. `quota` is all that is credited for it, the bonus included. */
export type TopUpPaid = Event<
  'TopUpPaid',
  {
    tradeNo: TradeNo;
    userId: UserId;
    provider: PaymentProvider;
    /** The provider's own number of the payment. */
    providerReference: string;
    paid: Money;
    quota: QuotaUnits;
    bonusQuota: QuotaUnits;
    /** How the payment was reported: by the provider itself, or in answer to a query. */
    source: 'notification' | 'query';
    /** The order had expired by then. */
    late: boolean;
  }
>;
/**
 * Money came a second time for an order that is paid. Nothing is credited for it: the operator refunds
 * it at the provider, who knows it under `providerReference`.
 */
export type TopUpPaidAgain = Event<
  'TopUpPaidAgain',
  {
    tradeNo: TradeNo;
    userId: UserId;
    provider: PaymentProvider;
    providerReference: string;
    /** The number of the payment that was credited. */
    creditedReference: string;
    paid: Money;
  }
>;
/** The order was not paid in time, or the provider did not accept it. */
export type TopUpExpired = Event<
  'TopUpExpired',
  { tradeNo: TradeNo; userId: UserId; reason: 'time' | 'not-offered' }
>;

export type TopUpEvent = TopUpOrdered | TopUpOffered | TopUpPaid | TopUpPaidAgain | TopUpExpired;
