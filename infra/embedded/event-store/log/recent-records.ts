import type { LogRecord } from '../types.ts';

/** The tail of the log in memory, so that live subscribers do not query the database. */
export class RecentRecords {
  readonly #maxCount: number;
  readonly #maxBytes: number;
  #records: LogRecord[] = [];
  /** Records before this index are dropped; the array is cut when half of it is. */
  #start = 0;
  #bytes = 0;

  constructor(limits: Readonly<{ maxCount: number; maxBytes: number }>) {
    this.#maxCount = limits.maxCount;
    this.#maxBytes = limits.maxBytes;
  }

  push(records: readonly LogRecord[]): void {
    for (const record of records) {
      this.#records.push(record);
      this.#bytes += record.data.length + record.metadata.length;
    }
    while (this.#isTooLarge()) {
      const dropped = this.#records[this.#start];
      if (dropped === undefined) break;
      this.#bytes -= dropped.data.length + dropped.metadata.length;
      this.#start += 1;
    }
    if (this.#start > this.#records.length / 2) {
      this.#records = this.#records.slice(this.#start);
      this.#start = 0;
    }
  }

  /** Events up to this place were removed from the log; the gaps would put the others in wrong places. */
  forget(upTo: number): void {
    const first = this.#records[this.#start];
    if (first !== undefined && upTo >= first.position) this.clear();
  }

  clear(): void {
    this.#records = [];
    this.#start = 0;
    this.#bytes = 0;
  }

  /** Up to `limit` records from `position` on; null when some of them are no longer here. */
  from(position: number, limit: number): readonly LogRecord[] | null {
    const first = this.#records[this.#start];
    if (first === undefined || position < first.position) return null;
    const index = this.#start + (position - first.position);
    return this.#records.slice(index, index + limit);
  }

  #isTooLarge(): boolean {
    return this.#records.length - this.#start > this.#maxCount || this.#bytes > this.#maxBytes;
  }
}
