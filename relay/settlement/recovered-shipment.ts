import type { JournalEntry, SettledRecords } from './journal.ts';
import type { RecoveredInstance } from './journal-recovery.ts';
import type { RecordSource } from './unsettled-batches.ts';

type Out = Readonly<{
  add: (entry: JournalEntry, source: RecordSource) => void;
  flush: () => void;
}>;

/** The records of an earlier instance on their way; its files stay until the keeper has settled all. */
export class RecoveredShipment implements RecordSource {
  readonly #instance: RecoveredInstance;
  readonly #onSettled: () => void;
  #waiting = 0;
  #unsettled = 0;
  #isComplete = false;
  #wake: () => void = () => undefined;

  constructor(instance: RecoveredInstance, onSettled: () => void) {
    this.#instance = instance;
    this.#onSettled = onSettled;
  }

  /** A file at a time: the next one is read when the bus has taken this one. */
  async run({ add, flush }: Out): Promise<void> {
    for (const entries of this.#instance.entries()) {
      if (entries.length === 0) continue;
      this.#waiting = entries.length;
      this.#unsettled += entries.length;
      const taken = new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      for (const entry of entries) add(entry, this);
      flush();
      await taken;
    }
    this.#isComplete = true;
    this.#finish();
  }

  taken(entries: readonly JournalEntry[]): void {
    this.#waiting -= entries.length;
    if (this.#waiting === 0) this.#wake();
  }

  settled({ sequences }: SettledRecords): void {
    this.#unsettled -= sequences.length;
    this.#finish();
  }

  readAgain(sequences: readonly number[]): Promise<readonly JournalEntry[]> {
    return this.#instance.readAgain(sequences);
  }

  #finish(): void {
    if (this.#isComplete && this.#unsettled === 0) this.#onSettled();
  }
}
