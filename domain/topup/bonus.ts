/** From so many dollars on, so many percent are added (infra/reference/payments.md). */
export const bonusTiers: readonly Readonly<{ dollars: number; percent: number }>[] = [
  { dollars: 1, percent: 5 },
  { dollars: 3, percent: 8 },
  { dollars: 7, percent: 12 },
  { dollars: 15, percent: 18 },
  { dollars: 35, percent: 22 },
  { dollars: 70, percent: 26 },
  { dollars: 140, percent: 34 },
  { dollars: 280, percent: 40 },
];

/** Of the highest tier that the amount reaches; `compareTo` holds the amount against its dollars. */
export const bonusPercentOf = (compareTo: (dollars: number) => number): number =>
  bonusTiers.findLast(({ dollars }) => compareTo(dollars) >= 0)?.percent ?? 0;
