import type { Event } from '../shared/event.ts';
import type { RedemptionId, UserId } from '../shared/ids.ts';
import type { QuotaUnits } from '../shared/quota.ts';
import type { Sealed } from '../shared/sealed.ts';

/** An operator made a code. `codeHash` is SHA-256 of the 32 hexadecimal characters, hex. */
export type RedemptionCreated = Event<
  'RedemptionCreated',
  {
    redemptionId: RedemptionId;
    name: string;
    quota: QuotaUnits;
    sealedCode: Sealed;
    codeHash: string;
    createdBy: UserId;
  }
>;
/** Both before and after, so that the audit trail needs no look-up. */
export type RedemptionChanged = Event<
  'RedemptionChanged',
  {
    redemptionId: RedemptionId;
    name: string;
    quota: QuotaUnits;
    previous: Readonly<{ name: string; quota: QuotaUnits }>;
    /** Absent in events of earlier versions. */
    changedBy?: UserId;
  }
>;
export type RedemptionEnabled = Event<'RedemptionEnabled', { redemptionId: RedemptionId }>;
export type RedemptionDisabled = Event<'RedemptionDisabled', { redemptionId: RedemptionId }>;
/** Carries `quota` so that readers need not look up the creating event. */
export type RedemptionRedeemed = Event<
  'RedemptionRedeemed',
  { redemptionId: RedemptionId; quota: QuotaUnits; redeemedBy: UserId }
>;
export type RedemptionDeleted = Event<'RedemptionDeleted', { redemptionId: RedemptionId }>;

export type RedemptionEvent =
  | RedemptionCreated
  | RedemptionChanged
  | RedemptionEnabled
  | RedemptionDisabled
  | RedemptionRedeemed
  | RedemptionDeleted;
