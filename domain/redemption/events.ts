import { defineEvents, type EventsOf } from '../shared/catalogue.ts';
import { redemptionId, userId } from '../shared/ids.ts';
import { quotaUnits } from '../shared/quota.ts';
import { sealed } from '../shared/sealed.ts';
import { object, text } from '../shared/shape.ts';

const audited = defineEvents('redemption', 'redemption');

export const redemptionEvents = {
  /** An operator made a code. `codeHash` is SHA-256 of the 32 hexadecimal characters, hex. */
  RedemptionCreated: audited({
    redemptionId,
    name: text,
    quota: quotaUnits,
    sealedCode: sealed,
    codeHash: text,
    createdBy: userId,
  }),
  /** Both before and after, so that the audit trail needs no look-up. */
  RedemptionChanged: audited({
    redemptionId,
    name: text,
    quota: quotaUnits,
    previous: object({ name: text, quota: quotaUnits }),
    changedBy: userId,
  }),
  RedemptionEnabled: audited({ redemptionId }),
  RedemptionDisabled: audited({ redemptionId }),
  /** Carries `quota` so that readers need not read the creating event. */
  RedemptionRedeemed: audited({
    redemptionId,
    quota: quotaUnits,
    redeemedBy: userId,
  }),
  RedemptionDeleted: audited({ redemptionId }),
};

type Events = EventsOf<typeof redemptionEvents>;
export type RedemptionCreated = Events['RedemptionCreated'];
export type RedemptionChanged = Events['RedemptionChanged'];
export type RedemptionRedeemed = Events['RedemptionRedeemed'];
export type RedemptionDeleted = Events['RedemptionDeleted'];
export type RedemptionEvent = Events[keyof Events];
