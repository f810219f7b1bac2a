import { quote, usage } from '../pricing/shapes.ts';
import {
  flag,
  instant,
  list,
  nullable,
  number,
  object,
  oneOf,
  optional,
  text,
  whole,
} from '../shared/shape.ts';
import { dataOf, type Shapes } from '../shared/shapes.ts';
import type { AdjustmentReason } from './adjustment-reason.ts';
import type {
  AccountEvent,
  AccountOpened,
  CallFacts,
  CorrectionPosted,
  LeaseExpired,
  LeaseReturned,
  ProducerClosed,
  QuotaAdjusted,
  QuotaGranted,
  QuotaLeased,
  ReferralRewarded,
  ReferralRewardTransferred,
  RequestAbandoned,
  RequestCharged,
  RequestRefunded,
  TokenBudgetClosed,
  TokenBudgetSet,
  UsageNumberSkipped,
} from './events.ts';
import type { UsageNumber } from './usage-number.ts';

const userId = whole;
const ofToken = { userId, tokenId: whole };
const usageNumber = object<UsageNumber>({ producerId: whole, number: whole });

export const callShape = object<CallFacts>({
  requestId: text,
  relayId: text,
  tokenId: whole,
  channelId: whole,
  channelsTried: list(whole),
  model: text,
  upstreamModel: nullable(text),
  group: text,
  path: text,
  isStream: flag,
  startedAt: instant,
  durationMs: number,
  firstByteMs: nullable(number),
  task: optional(object({ platform: text, action: text, upstreamId: text })),
  reasoningEffort: optional(text),
});

const adjustmentReason = object<AdjustmentReason>({
  kind: oneOf('set-by-admin', 'other'),
  note: nullable(text),
});

export const accountShapes: Shapes<AccountEvent> = {
  AccountOpened: dataOf<AccountOpened>({ userId }),
  QuotaGranted: dataOf<QuotaGranted>({
    userId,
    amount: whole,
    source: text,
    reference: text,
    payment: optional(
      object({
        provider: text,
        providerReference: text,
        paid: object({ amountMinor: whole, currency: text }),
        bonusQuota: whole,
      }),
    ),
    balanceAfter: whole,
  }),
  QuotaAdjusted: dataOf<QuotaAdjusted>({
    userId,
    delta: whole,
    seen: nullable(whole),
    reason: adjustmentReason,
    balanceAfter: whole,
  }),
  QuotaLeased: dataOf<QuotaLeased>({
    ...ofToken,
    leaseId: text,
    relayId: text,
    amount: whole,
    ask: whole,
    producerId: whole,
  }),
  LeaseReturned: dataOf<LeaseReturned>({
    userId,
    leaseId: text,
    unspent: whole,
    usageNumber: optional(usageNumber),
    closes: flag,
  }),
  LeaseExpired: dataOf<LeaseExpired>({ userId, leaseId: text, unspent: whole }),
  RequestCharged: dataOf<RequestCharged>({
    userId,
    leaseId: nullable(text),
    call: callShape,
    usage,
    usageSource: text,
    usageNote: nullable(text),
    end: text,
    quote,
    amount: whole,
    sequence: whole,
    usageNumber: optional(usageNumber),
    isUnplaced: optional(flag),
    balanceAfter: whole,
  }),
  RequestRefunded: dataOf<RequestRefunded>({
    ...ofToken,
    requestId: text,
    amount: whole,
    reason: text,
    balanceAfter: whole,
  }),
  RequestAbandoned: dataOf<RequestAbandoned>({
    ...ofToken,
    requestId: text,
    relayId: text,
    leaseId: nullable(text),
    reserved: whole,
  }),
  UsageNumberSkipped: dataOf<UsageNumberSkipped>({
    userId,
    relayId: text,
    usageNumber,
    reason: text,
  }),
  ProducerClosed: dataOf<ProducerClosed>({
    userId,
    relayId: text,
    producerId: whole,
    last: whole,
    damaged: optional(flag),
  }),
  TokenBudgetSet: dataOf<TokenBudgetSet>({ ...ofToken, unlimited: flag, remain: whole }),
  TokenBudgetClosed: dataOf<TokenBudgetClosed>(ofToken),
  ReferralRewarded: dataOf<ReferralRewarded>({ userId, amount: whole, inviteeId: whole }),
  ReferralRewardTransferred: dataOf<ReferralRewardTransferred>({
    userId,
    amount: whole,
    balanceAfter: whole,
  }),
  CorrectionPosted: dataOf<CorrectionPosted>({
    userId,
    delta: whole,
    corrects: list(text),
    reason: text,
    reference: optional(text),
    balanceAfter: whole,
  }),
};
