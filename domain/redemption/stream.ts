import type { RedemptionId } from '../shared/ids.ts';

export const redemptionStreamId = (id: RedemptionId): string => `redemption-${id}`;
/** The first append with expected revision "no stream" owns the code. */
export const redemptionCodeClaimStreamId = (keyHash: string): string => `redemptionCode-${keyHash}`;
