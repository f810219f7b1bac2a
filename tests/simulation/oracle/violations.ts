/** Everything that must never be seen. */
export const violationKinds = [
  // The provider answered, the customer had it, and it was not charged.
  'not-charged',
  'charged-twice',
  'wrong-amount',
  // Charged, and nothing was served.
  'charged-for-nothing',
  // Below zero by more than what was in flight and underestimated.
  'overdrawn',
  // Admitted on a lease after it had expired: its quota was others' by then.
  'admitted-on-expired',
  // A task failed or used less than was charged, and its money was not returned.
  'not-refunded',
  // A task gave back more than it had to.
  'refunded-too-much',
  // More given back than was charged.
  'over-corrected',
  'reserved-at-rest',
  'refused-with-quota',
  'stalled',
  // A confirmed credit is missing, or booked twice.
  'credit-lost',
  'credited-twice',
  'verify-finds',
  'verify-misses',
  'process-fault',
] as const;

export type ViolationKind = (typeof violationKinds)[number];

export type Violation = Readonly<{ kind: ViolationKind; detail: string }>;

const mostOfAKind = 3;

/** Collects what was seen, a few of each kind. */
export class Violations {
  readonly found: Violation[] = [];

  add(kind: ViolationKind, detail: string): void {
    const known = this.found.filter((violation) => violation.kind === kind);
    if (known.length >= mostOfAKind || known.some((other) => other.detail === detail)) return;
    this.found.push({ kind, detail });
  }

  get kinds(): ReadonlySet<ViolationKind> {
    return new Set(this.found.map(({ kind }) => kind));
  }
}
