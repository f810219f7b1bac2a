export type TracedMessage = Readonly<{ from: string; to: string; sentAt: number; at: number }>;
export type TracedNote = Readonly<{
  at: number;
  machine: string;
  kind: 'note' | 'log-line' | 'event';
  text: string;
}>;
/** From its first grant to its end. */
export type TracedLease = {
  readonly id: string;
  readonly from: number;
  to: number;
  amount: number;
};
export type TracedCall = Readonly<{
  id: string;
  relay: string;
  sentAt: number;
  admittedAt: number | null;
  bookedAt: number | null;
  chargedAt: number | null;
  outcome: string;
}>;

/** What happened in one history, for the picture of it. Times in milliseconds from its start. */
export type Trace = Readonly<{
  machines: readonly string[];
  messages: readonly TracedMessage[];
  notes: readonly TracedNote[];
  leases: readonly TracedLease[];
  calls: readonly TracedCall[];
}>;
