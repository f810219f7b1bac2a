import type { Command } from '../shared/event.ts';
import type { RedemptionId, UserId } from '../shared/ids.ts';
import type { QuotaUnits } from '../shared/quota.ts';
import type { Sealed } from '../shared/sealed.ts';

type OfCode = Readonly<{ redemptionId: RedemptionId }>;

export type CreateRedemption = Command<
  'CreateRedemption',
  OfCode &
    Readonly<{
      name: string;
      quota: QuotaUnits;
      sealedCode: Sealed;
      codeHash: string;
      createdBy: UserId;
    }>
>;
export type ChangeRedemption = Command<
  'ChangeRedemption',
  OfCode & Readonly<{ name: string; quota: QuotaUnits; changedBy: UserId }>
>;
export type EnableRedemption = Command<'EnableRedemption', OfCode>;
export type DisableRedemption = Command<'DisableRedemption', OfCode>;
/** `userId` is who gets the quota, `room` what their account can still take in. */
export type RedeemCode = Command<
  'RedeemCode',
  OfCode & Readonly<{ userId: UserId; room: QuotaUnits }>
>;
export type DeleteRedemption = Command<'DeleteRedemption', OfCode>;

export type RedemptionCommand =
  | CreateRedemption
  | ChangeRedemption
  | EnableRedemption
  | DisableRedemption
  | RedeemCode
  | DeleteRedemption;
