import type { Metadata } from '../../domain/shared/event.ts';

/** Places of the events of one command in the stream. */
type CommandTrace = Readonly<{
  /** Revision of its first event. */
  first: number;
  count: number;
  hash: string | null;
  /** ISO-8601 */
  occurredAt: string;
}>;

/** As a snapshot holds it. */
type Remembered = Readonly<{
  traces: readonly (readonly [string, CommandTrace])[];
  forgottenUntil: string | null;
}>;

/** Commands remembered for each stream. A client that repeats later than that is not recognised. */
const rememberedCommands = 256;

/** The newest commands of one stream: what was done already is not done again. */
export class CommandMemory {
  readonly #traces: Map<string, CommandTrace>;
  #forgottenUntil: string | null;

  constructor(snapshot?: Remembered) {
    this.#traces = new Map(snapshot?.traces ?? []);
    this.#forgottenUntil = snapshot?.forgottenUntil ?? null;
  }

  get(commandId: string): CommandTrace | undefined {
    return this.#traces.get(commandId);
  }

  /** Idempotent: an event is delivered twice when a read is broken off. */
  note({ commandId, commandHash, occurredAt }: Metadata, revision: number): void {
    const first = this.#traces.get(commandId)?.first ?? revision;
    const count = revision - first + 1;
    this.#traces.set(commandId, { first, count, hash: commandHash ?? null, occurredAt });
    if (this.#traces.size > rememberedCommands) this.#forgetOldest();
  }

  /**
   * The last possible revision of a dropped command: those that memory holds are the newest of the
   * stream, one after the other. null: nothing was dropped.
   */
  get forgottenUpTo(): number | null {
    if (this.#forgottenUntil === null) return null;
    for (const { first } of this.#traces.values()) return first - 1;
    return null;
  }

  toSnapshot(): Remembered {
    return { traces: [...this.#traces], forgottenUntil: this.#forgottenUntil };
  }

  #forgetOldest(): void {
    for (const [oldest, { occurredAt }] of this.#traces) {
      this.#traces.delete(oldest);
      const isLatest = this.#forgottenUntil === null || occurredAt > this.#forgottenUntil;
      if (isLatest) this.#forgottenUntil = occurredAt;
      return;
    }
  }
}
