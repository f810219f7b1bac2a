import type { RedemptionId } from '../shared/ids.ts';

export const redemptionStreamId = (id: RedemptionId): string => `redemption-${id}`;
/** The first append with expected revision "no stream" owns the code. */
export const redemptionCodeClaimStreamId = (codeHash: string): string =>
  `redemptionCode-${codeHash}`;
