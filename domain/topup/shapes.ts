import { decimal, flag, instant, number, object, text, whole } from '../shared/shape.ts';
import { dataOf, type Shapes } from '../shared/shapes.ts';
import type {
  Money,
  TopUpEvent,
  TopUpExpired,
  TopUpOffered,
  TopUpOrdered,
  TopUpPaid,
  TopUpPaidAgain,
  TopUpTerms,
} from './events.ts';

const money = object<Money>({ amountMinor: whole, currency: text });
const terms = object<TopUpTerms>({
  amount: number,
  inCurrency: flag,
  price: decimal,
  group: text,
  groupRatio: decimal,
  quotaPerUnit: decimal,
});

export const topUpShapes: Shapes<TopUpEvent> = {
  TopUpOrdered: dataOf<TopUpOrdered>({
    tradeNo: text,
    userId: whole,
    provider: text,
    method: text,
    terms,
    dollars: decimal,
    payable: money,
    quota: whole,
    bonusQuota: whole,
    expiresAt: instant,
  }),
  TopUpOffered: dataOf<TopUpOffered>({
    tradeNo: text,
    codeUrl: text,
    pictureUrl: text,
    payUrl: text,
  }),
  TopUpPaid: dataOf<TopUpPaid>({
    tradeNo: text,
    userId: whole,
    provider: text,
    providerReference: text,
    paid: money,
    quota: whole,
    bonusQuota: whole,
    source: text,
    late: flag,
  }),
  TopUpPaidAgain: dataOf<TopUpPaidAgain>({
    tradeNo: text,
    userId: whole,
    provider: text,
    providerReference: text,
    creditedReference: text,
    paid: money,
  }),
  TopUpExpired: dataOf<TopUpExpired>({ tradeNo: text, userId: whole, reason: text }),
};
