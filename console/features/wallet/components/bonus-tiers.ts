export type BonusTier = Readonly<{ dollars: number; percent: number }>;

/** From so many dollars on, so many percent come on top (specification, section 9). */
export const bonusTiers: readonly BonusTier[] = [
  { dollars: 1, percent: 5 },
  { dollars: 3, percent: 8 },
  { dollars: 7, percent: 12 },
  { dollars: 15, percent: 18 },
  { dollars: 35, percent: 22 },
  { dollars: 70, percent: 26 },
  { dollars: 140, percent: 34 },
  { dollars: 280, percent: 40 },
];

/** The highest tier that so many dollars reach, and the one after it. */
export const tierOf = (
  dollars: number,
): Readonly<{ current: BonusTier | null; next: BonusTier | null }> => ({
  current: bonusTiers.findLast((tier) => dollars >= tier.dollars) ?? null,
  next: bonusTiers.find((tier) => dollars < tier.dollars) ?? null,
});
