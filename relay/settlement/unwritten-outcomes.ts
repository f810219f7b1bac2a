type Outcome = Readonly<{ sequence: number; onKept: () => void }>;
type Waiting = Readonly<{ sinceMs: number; onKept: () => void }>;

/** What the bus or the log has not taken after so long counts as refused, where the disk refuses too. */
export const overdueMs = 500;

/**
 * Outcomes that the disk has refused and that memory and bus alone have. Their clients get the end of their answers
 * when the log has the record, or the disk after all: a crash before would lose the charge for an answer
 * that was given whole. The bus is not enough: a keeper takes off it what waits for a number before its own.
 */
export class UnwrittenOutcomes {
  /** Monotonic, in milliseconds. */
  readonly #now: () => number;
  /** By the sequence of its record, oldest first. */
  readonly #waiting = new Map<number, Waiting>();

  constructor(now: () => number) {
    this.#now = now;
  }

  add(outcomes: readonly Outcome[]): void {
    const sinceMs = this.#now();
    for (const { sequence, onKept } of outcomes) this.#waiting.set(sequence, { sinceMs, onKept });
  }

  /** True while the oldest has waited for too long: those of further calls would wait behind it. */
  get isOverdue(): boolean {
    const [oldest] = this.#waiting.values();
    return oldest !== undefined && this.#now() - oldest.sinceMs >= overdueMs;
  }

  /** The log has these. */
  settled(sequences: readonly number[]): void {
    if (this.#waiting.size === 0) return;
    for (const sequence of sequences) this.#keep(sequence);
  }

  /** The disk has all of them. */
  written(): void {
    for (const sequence of [...this.#waiting.keys()]) this.#keep(sequence);
  }

  #keep(sequence: number): void {
    const outcome = this.#waiting.get(sequence);
    this.#waiting.delete(sequence);
    outcome?.onKept();
  }
}
