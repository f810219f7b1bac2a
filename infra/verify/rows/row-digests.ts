import type { RowDigest } from '../../ports/read-models.ts';

/** Rows that the log makes go into one bucket. Where one differs, these are looked at one by one. */
const rowsPerBucket = 1_024;
const modulus = 2 ** 48;
const firstCapacity = 64;

/** First places (inclusive) and ends (exclusive) of buckets. */
export type PlaceRange = readonly [number, number];

/**
 * Rows of a table by ranges of places in the log: how many there are, and the sum of their digests, which
 * is the same in any order. 20 bytes for 1,024 rows.
 */
export class RowDigests {
  #starts = new Float64Array(firstCapacity);
  /** Of bucket 0, which is before the first start, and of those that begin at the starts. */
  #sums = new Float64Array(firstCapacity + 1);
  #counts = new Uint32Array(firstCapacity + 1);
  #size = 0;

  get starts(): readonly number[] {
    return Array.from(this.#starts.subarray(0, this.#size));
  }

  add(position: number, digest: number): void {
    const bucket = this.#bucketOf(position);
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1;
    this.#sums[bucket] = ((this.#sums[bucket] ?? 0) + digest) % modulus;
  }

  /** The buckets that do not hold the same rows; those with none of their own need no row. */
  differing(found: readonly RowDigest[]): readonly PlaceRange[] {
    const unseen = new Set<number>();
    for (let bucket = 0; bucket <= this.#size; bucket += 1) {
      if ((this.#counts[bucket] ?? 0) > 0) unseen.add(bucket);
    }
    const differing = new Set<number>();
    for (const { bucket, count, sum } of found) {
      unseen.delete(bucket);
      const isSame = count === this.#counts[bucket] && sum === this.#sums[bucket];
      if (!isSame) differing.add(bucket);
    }
    return [...differing, ...unseen].sort((a, b) => a - b).map((bucket) => this.#rangeOf(bucket));
  }

  #rangeOf(bucket: number): PlaceRange {
    const from = bucket === 0 ? Number.MIN_SAFE_INTEGER : (this.#starts[bucket - 1] ?? 0);
    const isLast = bucket >= this.#size;
    return [from, isLast ? Number.MAX_SAFE_INTEGER : (this.#starts[bucket] ?? 0)];
  }

  /** The newest bucket takes what comes until it is full. */
  #bucketOf(position: number): number {
    const last = this.#starts[this.#size - 1] ?? Number.NEGATIVE_INFINITY;
    if (position < last) return this.#search(position);
    const isFull = this.#size === 0 || (this.#counts[this.#size] ?? 0) >= rowsPerBucket;
    if (isFull && position > last) this.#open(position);
    return this.#size;
  }

  #search(position: number): number {
    let low = 0;
    let high = this.#size;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#starts[middle] ?? 0) <= position) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #open(position: number): void {
    if (this.#size === this.#starts.length) {
      const { starts, sums, counts } = {
        starts: this.#starts,
        sums: this.#sums,
        counts: this.#counts,
      };
      this.#starts = new Float64Array(2 * this.#size);
      this.#sums = new Float64Array(2 * this.#size + 1);
      this.#counts = new Uint32Array(2 * this.#size + 1);
      this.#starts.set(starts);
      this.#sums.set(sums);
      this.#counts.set(counts);
    }
    this.#starts[this.#size] = position;
    this.#size += 1;
  }
}

/** Sums of the cells that go with a person, by person. */
export class PersonDigests {
  readonly #sums = new Map<string, { count: number; sum: number }>();

  add(key: string, digest: number): void {
    const known = this.#sums.get(key);
    if (known === undefined) this.#sums.set(key, { count: 1, sum: digest });
    else {
      known.count += 1;
      known.sum = (known.sum + digest) % modulus;
    }
  }

  /** The people of whom the rows say something else than the log. */
  differing(found: readonly Readonly<{ key: string; count: number; sum: number }>[]): string[] {
    const unseen = new Set(this.#sums.keys());
    const differing: string[] = [];
    for (const { key, count, sum } of found) {
      unseen.delete(key);
      const due = this.#sums.get(key);
      if (due?.count !== count || due.sum !== sum) differing.push(key);
    }
    return [...differing, ...unseen];
  }
}
