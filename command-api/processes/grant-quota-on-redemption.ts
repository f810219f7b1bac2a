import type { GrantQuota } from '../../domain/account/commands.ts';
import type { RedemptionRedeemed } from '../../domain/redemption/events.ts';
import type { Recorded } from '../../domain/shared/event.ts';
import { causedBy } from './process.ts';

/** When a code is redeemed, grant its quota. The derived command id makes a repeat harmless. */
export const grantQuotaOnRedemption = (recorded: Recorded<RedemptionRedeemed>): GrantQuota => {
  const { redeemedBy: userId, quota: amount, redemptionId } = recorded.event.data;
  return {
    type: 'GrantQuota',
    data: { userId, amount, source: 'redemption', reference: String(redemptionId) },
    metadata: causedBy(recorded, 'redemption'),
  };
};
