import type { GrantQuota } from '../../domain/account/commands.ts';
import type { Recorded } from '../../domain/shared/event.ts';
import type { TopUpPaid } from '../../domain/topup/events.ts';
import { causedBy } from './process.ts';

/** When an order is paid, grant what it brings. The derived command id makes a repeat harmless. */
export const grantQuotaOnTopUpPaid = (recorded: Recorded<TopUpPaid>): GrantQuota => {
  const { userId, quota: amount, tradeNo, ...reported } = recorded.event.data;
  const { provider, providerReference, paid, bonusQuota } = reported;
  const payment = { provider, providerReference, paid, bonusQuota };
  return {
    type: 'GrantQuota',
    data: { userId, amount, source: 'topup', reference: tradeNo, payment },
    metadata: causedBy(recorded, 'topup'),
  };
};
