import { rootRole } from '../../domain/access/roles.ts';
import type { GrantQuota, OpenAccount, RewardReferral } from '../../domain/account/commands.ts';
import type { Recorded } from '../../domain/shared/event.ts';
import type { QuotaUnits } from '../../domain/shared/quota.ts';
import type { UserRegistered } from '../../domain/user/events.ts';
import { causedBy } from './process.ts';

/** Gifts at sign-up, in quota units, by the options at the time of processing. */
export type SignUpGifts = Readonly<{
  newUser: QuotaUnits;
  invitee: QuotaUnits;
  inviter: QuotaUnits;
}>;

/** 200 USD at the default rate, so that the first administrator can try everything. */
const setupQuota: QuotaUnits = 100_000_000;

/**
 * When a user is registered, open the account, grant the first quota, and reward who invited them.
 * The super admin of the set-up gets a fixed sum.
 */
export const openAccountOnUserRegistered = (
  recorded: Recorded<UserRegistered>,
  gifts: SignUpGifts,
): readonly (OpenAccount | GrantQuota | RewardReferral)[] => {
  const { userId, role, inviterId } = recorded.event.data;
  const by = (step: string) => causedBy(recorded, step);
  const isRoot = role === rootRole;
  const start = isRoot ? setupQuota : gifts.newUser;
  const commands: (OpenAccount | GrantQuota | RewardReferral)[] = [
    { type: 'OpenAccount', data: { userId }, metadata: by('open-account') },
  ];
  const grant = (amount: QuotaUnits, source: GrantQuota['data']['source'], reference: string) => {
    if (amount <= 0) return;
    const data = { userId, amount, source, reference };
    commands.push({ type: 'GrantQuota', data, metadata: by(`grant-${source}`) });
  };
  grant(start, isRoot ? 'setup' : 'registration', String(userId));
  if (inviterId !== null) {
    grant(gifts.invitee, 'invitation', String(inviterId));
    if (gifts.inviter > 0) {
      const data = { userId: inviterId, amount: gifts.inviter, inviteeId: userId };
      commands.push({ type: 'RewardReferral', data, metadata: by('reward-inviter') });
    }
  }
  return commands;
};
