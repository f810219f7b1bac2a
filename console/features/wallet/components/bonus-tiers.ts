import type { PublicStatus } from '../../../shared/status.ts';

type BonusTier = PublicStatus['topup_bonus_tiers'][number];

/** The highest tier that the dollars reach, and the one after it. */
export const tierOf = (
  tiers: readonly BonusTier[],
  dollars: number,
): Readonly<{ current: BonusTier | null; next: BonusTier | null }> => ({
  current: tiers.findLast((tier) => dollars >= tier.dollars) ?? null,
  next: tiers.find((tier) => dollars < tier.dollars) ?? null,
});
