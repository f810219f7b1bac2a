import type { TopUpCommand } from '../../domain/topup/commands.ts';
import type { TopUpEvent } from '../../domain/topup/events.ts';
import { aMetadata } from './metadata-examples.ts';

type EventOf<Type extends TopUpEvent['type']> = Extract<TopUpEvent, { type: Type }>;
type CommandOf<Type extends TopUpCommand['type']> = Extract<TopUpCommand, { type: Type }>;

export const tradeNo = 'USR42NOabc1231767225600';
const terms = {
  amount: 10,
  inCurrency: true,
  price: '7.2',
  group: 'default',
  groupRatio: '1',
  quotaPerUnit: '500000',
};
const order = {
  tradeNo,
  userId: 42,
  provider: 'lantu' as const,
  method: 'qr' as const,
  terms,
  expiresAt: '2026-03-01T08:05:00.000Z',
};
/** 10 dollars at 7.2, with the 12 % that 7 dollars and more bring. */
export const aTopUpOrdered = (
  changes: Partial<EventOf<'TopUpOrdered'>['data']> = {},
): EventOf<'TopUpOrdered'> => ({
  type: 'TopUpOrdered',
  data: {
    ...order,
    dollars: '10',
    payable: { amountMinor: 7_200, currency: 'CNY' },
    quota: 5_000_000,
    bonusQuota: 600_000,
    ...changes,
  },
});

export const aTopUpPaid = (
  changes: Partial<EventOf<'TopUpPaid'>['data']> = {},
): EventOf<'TopUpPaid'> => ({
  type: 'TopUpPaid',
  data: {
    tradeNo,
    userId: 42,
    provider: 'lantu',
    providerReference: 'pay-1',
    paid: { amountMinor: 7_200, currency: 'CNY' },
    quota: 5_600_000,
    bonusQuota: 600_000,
    source: 'notification',
    late: false,
    ...changes,
  },
});

export const aTopUpExpired = (): EventOf<'TopUpExpired'> => ({
  type: 'TopUpExpired',
  data: { tradeNo, userId: 42, reason: 'time' },
});

export const anOrderTopUp = (
  changes: Partial<CommandOf<'OrderTopUp'>['data']> = {},
): CommandOf<'OrderTopUp'> => ({
  type: 'OrderTopUp',
  data: { ...order, minimum: 1, room: 1_000_000_000, ...changes },
  metadata: aMetadata(),
});

export const aTermsChange = (changes: Partial<typeof terms>) => ({
  terms: { ...terms, ...changes },
});

export const aConfirmTopUp = (
  changes: Partial<CommandOf<'ConfirmTopUp'>['data']> = {},
  occurredAt = '2026-03-01T08:00:10.000Z',
): CommandOf<'ConfirmTopUp'> => ({
  type: 'ConfirmTopUp',
  data: {
    tradeNo,
    provider: 'lantu',
    providerReference: 'pay-1',
    paid: { amountMinor: 7_200, currency: 'CNY' },
    source: 'notification',
    ...changes,
  },
  metadata: aMetadata({ occurredAt }),
});

export const anExpireTopUp = (
  reason: 'time' | 'not-offered' = 'time',
): CommandOf<'ExpireTopUp'> => ({
  type: 'ExpireTopUp',
  data: { tradeNo, reason },
  metadata: aMetadata(),
});

export const anOfferTopUp = (): CommandOf<'OfferTopUp'> => ({
  type: 'OfferTopUp',
  data: { tradeNo, codeUrl: 'weixin://wxpay/x', pictureUrl: '', payUrl: '' },
  metadata: aMetadata(),
});
