type Outcome = Readonly<{ sequence: number; onKept: () => void }>;

/**
 * Outcomes that the disk has refused and that the memory alone has. Their clients get the end of their
 * answers when the bus has taken the record, or the disk after all: a crash before would lose the charge
 * for an answer that was given whole.
 */
export class UnwrittenOutcomes {
  readonly #waiting = new Map<number, () => void>();

  add(outcomes: readonly Outcome[]): void {
    for (const { sequence, onKept } of outcomes) this.#waiting.set(sequence, onKept);
  }

  /** The bus has these. */
  taken(entries: readonly Readonly<{ sequence: number }>[]): void {
    if (this.#waiting.size === 0) return;
    for (const { sequence } of entries) this.#keep(sequence);
  }

  /** The disk has all of them. */
  written(): void {
    for (const sequence of [...this.#waiting.keys()]) this.#keep(sequence);
  }

  #keep(sequence: number): void {
    const onKept = this.#waiting.get(sequence);
    this.#waiting.delete(sequence);
    onKept?.();
  }
}
