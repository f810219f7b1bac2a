import type { Command } from '../shared/event.ts';
import type { UserId } from '../shared/ids.ts';
import type { QuotaUnits } from '../shared/quota.ts';
import type { Money, PaymentMethod, PaymentProvider, TopUpTerms, TradeNo } from './events.ts';

type OfOrder = Readonly<{ tradeNo: TradeNo }>;

/** `minimum` in dollars, as the site has it now; `room` is what the account can still take in. */
export type OrderTopUp = Command<
  'OrderTopUp',
  OfOrder &
    Readonly<{
      userId: UserId;
      provider: PaymentProvider;
      method: PaymentMethod;
      terms: TopUpTerms;
      minimum: number;
      room: QuotaUnits;
      /** ISO-8601 */
      expiresAt: string;
    }>
>;
export type OfferTopUp = Command<
  'OfferTopUp',
  OfOrder & Readonly<{ codeUrl: string; pictureUrl: string; payUrl: string }>
>;
/** The payment provider reports that the order was paid. */
export type ConfirmTopUp = Command<
  'ConfirmTopUp',
  OfOrder &
    Readonly<{
      provider: PaymentProvider;
      providerReference: string;
      paid: Money;
      source: 'notification' | 'query';
    }>
>;
export type ExpireTopUp = Command<
  'ExpireTopUp',
  OfOrder & Readonly<{ reason: 'time' | 'not-offered' }>
>;

export type TopUpCommand = OrderTopUp | OfferTopUp | ConfirmTopUp | ExpireTopUp;
