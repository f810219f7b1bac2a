import type { JournalEntry, SettledRecords } from './journal.ts';

/** Source of records, and target of their results. */
export interface RecordSource {
  /** The bus has these. */
  taken(entries: readonly JournalEntry[]): void;
  /** The keeper has settled these. */
  settled(records: SettledRecords): void;
  /** The entries with these sequences, without starts of requests that have ended. */
  readAgain(sequences: readonly number[]): Promise<readonly JournalEntry[]>;
}

/** What was published together, until the keeper has settled it. Its records are in the files. */
export type Batch = {
  readonly number: number;
  readonly source: RecordSource;
  /** Of its records that are not starts; they rise. */
  readonly sequences: readonly number[];
  readonly starts: readonly number[];
  /** Up to where the records of the source had gone out before. */
  readonly after: number;
  /** How often it was sent again. */
  readonly resent: number;
  sentAt: number;
  isTaken: boolean;
  /** When the keeper had one that was sent later, or this one, and could not settle this; null: never. */
  overtakenAt: number | null;
};

export type ResendPlan = Readonly<{
  /** How long a batch may be unsettled when a later one is settled. */
  graceMs: number;
  /** After so long without any answer of a keeper that is alive. */
  resendAfterMs: number;
  maxResendMs: number;
}>;

/** What was sent of one partition and not settled, in the order in which it was sent. */
export class UnsettledBatches {
  readonly #partition: number;
  readonly #now: () => number;
  readonly #batches = new Map<number, Batch>();
  /** Source → last sequence that went out. */
  readonly #sentUpTo = new Map<RecordSource, number>();
  /** Number of the batch from which on all are to be sent again; null: none. */
  #resendFrom: number | null = null;
  #answeredAt = Number.NEGATIVE_INFINITY;
  #aliveAt = Number.NEGATIVE_INFINITY;
  #silences = 0;
  /** How often batches were sent again since the oldest one was settled. */
  #fruitless = 0;

  constructor(partition: number, now: () => number) {
    this.#partition = partition;
    this.#now = now;
  }

  /** Records of requests that wait for a keeper. */
  get records(): number {
    let count = 0;
    for (const { sequences } of this.#batches.values()) count += sequences.length;
    return count;
  }

  get isEmpty(): boolean {
    return this.#batches.size === 0;
  }

  has({ number }: Batch): boolean {
    return this.#batches.has(number);
  }

  add(number: number, source: RecordSource, entries: readonly JournalEntry[]): Batch {
    const sequences: number[] = [];
    const starts: number[] = [];
    for (const { kind, sequence } of entries) {
      (kind === 'started' ? starts : sequences).push(sequence);
    }
    const after = this.#sentUpTo.get(source) ?? 0;
    this.#sentUpTo.set(source, sequences.at(-1) ?? after);
    return this.#put({
      number,
      source,
      sequences,
      starts: starts.sort(byNumber),
      after,
      resent: 0,
    });
  }

  /** The same records under a new number. */
  replace({ source, sequences, starts, after, resent }: Batch, number: number): Batch {
    return this.#put({ number, source, sequences, starts, after, resent: resent + 1 });
  }

  /** `waiting`: batches that are to be sent again, oldest first. */
  settled(numbers: readonly number[], waiting: readonly Batch[]): void {
    const now = this.#now();
    this.#answeredAt = now;
    this.#silences = 0;
    for (const number of numbers) {
      const batch = this.#batches.get(number);
      if (batch === undefined) continue;
      if (waiting.length === 0 && number === this.#oldest()?.number) this.#fruitless = 0;
      this.#batches.delete(number);
      this.#noteOvertaken(number, now);
      this.doneWith(batch, waiting);
    }
  }

  /** Its records are settled; the batch itself is in no list any more. */
  doneWith({ source, sequences }: Batch, waiting: readonly Batch[]): void {
    const upTo = this.#settledUpTo(source, waiting);
    source.settled({ partition: this.#partition, sequences, upTo });
  }

  /** No other batch of its source holds an older record. `waiting`: those to be sent again. */
  isOldest({ number, source, sequences }: Batch, waiting: readonly Batch[]): boolean {
    const first = sequences[0] ?? Number.POSITIVE_INFINITY;
    return [...this.#batches.values(), ...waiting].every(
      (other) =>
        other.number === number ||
        other.source !== source ||
        (other.sequences[0] ?? Number.POSITIVE_INFINITY) > first,
    );
  }

  /** The keeper cannot settle these before it has older ones. */
  noteWaiting(numbers: readonly number[]): void {
    if (numbers.length > 0) this.#noteOvertaken(Math.max(...numbers), this.#now());
  }

  /** A keeper of the partition is alive. */
  noteAlive(): void {
    this.#aliveAt = this.#now();
  }

  get isResendDue(): boolean {
    return this.#resendFrom !== null;
  }

  /** Finds out whether something has to be sent again. */
  check(plan: ResendPlan): boolean {
    if (this.isResendDue) return true;
    const now = this.#now();
    const due = this.#overtaken(plan, now) ?? this.#unanswered(plan, now);
    this.#resendFrom = due === null ? null : due.number;
    return this.isResendDue;
  }

  /** Everything from the first that is to be sent again, in order: the keeper settles in order. */
  takeForResend(): Batch[] {
    const from = this.#resendFrom ?? 0;
    this.#resendFrom = null;
    this.#fruitless += 1;
    const taken = [...this.#batches.values()].filter(({ number }) => number >= from);
    for (const { number } of taken) this.#batches.delete(number);
    return taken;
  }

  #put(facts: Omit<Batch, 'sentAt' | 'isTaken' | 'overtakenAt'>): Batch {
    const batch: Batch = { ...facts, sentAt: this.#now(), isTaken: false, overtakenAt: null };
    this.#batches.set(batch.number, batch);
    return batch;
  }

  #noteOvertaken(by: number, now: number): void {
    for (const batch of this.#batches.values()) {
      if (batch.number > by) return;
      batch.overtakenAt ??= now;
    }
  }

  #oldest(): Batch | undefined {
    const [oldest] = this.#batches.values();
    return oldest;
  }

  #overtaken({ graceMs, maxResendMs }: ResendPlan, now: number): Batch | null {
    const graceNow = Math.min(maxResendMs, graceMs * 2 ** this.#fruitless);
    for (const batch of this.#batches.values()) {
      if (batch.overtakenAt === null) return null;
      if (batch.isTaken && now - batch.overtakenAt >= graceNow) return batch;
    }
    return null;
  }

  #unanswered({ resendAfterMs, maxResendMs }: ResendPlan, now: number): Batch | null {
    const oldest = this.#oldest();
    if (oldest === undefined || !oldest.isTaken) return null;
    const waitMs = Math.min(maxResendMs, resendAfterMs * 2 ** this.#silences);
    const since = Math.max(oldest.sentAt, this.#answeredAt);
    const isAlive = this.#aliveAt > now - resendAfterMs;
    if (!isAlive || now - since < waitMs) return null;
    this.#silences += 1;
    return oldest;
  }

  #settledUpTo(source: RecordSource, waiting: readonly Batch[]): number {
    let upTo = this.#sentUpTo.get(source) ?? 0;
    for (const batch of [...this.#batches.values(), ...waiting]) {
      if (batch.source === source) upTo = Math.min(upTo, batch.after);
    }
    return upTo;
  }
}

const byNumber = (a: number, b: number): number => a - b;
