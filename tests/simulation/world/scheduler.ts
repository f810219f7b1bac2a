import type { Dice } from './dice.ts';

/** `queueMicrotask` makes a resource for each call; a promise that is there costs less. */
const settled = Promise.resolve();

/** Something that is to happen. */
export type Entry = {
  readonly at: number;
  /** Decides between entries of one moment. */
  readonly tie: number;
  readonly number: number;
  readonly run: () => void;
  cancelled: boolean;
};

const isBefore = (left: Entry, right: Entry): boolean => {
  if (left.at !== right.at) return left.at < right.at;
  if (left.tie !== right.tie) return left.tie < right.tie;
  return left.number < right.number;
};

/**
 * Virtual time: every timer and every message is an entry of one queue, and the seed orders those of
 * one moment. After each entry all promises settle before the next one runs.
 */
export class Scheduler {
  readonly #dice: Dice;
  readonly #heap: Entry[] = [];
  #now = 0;
  #count = 0;
  #trace = 0;

  constructor(dice: Dice) {
    this.#dice = dice;
  }

  /** Milliseconds since the start of the history. */
  get now(): number {
    return this.#now;
  }

  /** Entries so far. */
  get count(): number {
    return this.#count;
  }

  /** A digest of all that ran, in its order. */
  get trace(): number {
    return this.#trace;
  }

  after(ms: number, run: () => void): Entry {
    return this.#push(this.#now + Math.max(0, ms), this.#dice.fraction(), run);
  }

  /** Not before `at`; entries of one moment run in their order. */
  inOrder(at: number, run: () => void): Entry {
    return this.#push(Math.max(this.#now, at), 0.5, run);
  }

  /** Runs what is due until that moment. @throws what an entry throws */
  runUntil(until: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const next = (): void => {
        const entry = this.#next(until);
        if (entry === null) {
          this.#now = until;
          resolve();
          return;
        }
        this.#now = entry.at;
        this.#trace = (Math.imul(this.#trace, 31) + entry.number + entry.at * 1_024) | 0;
        try {
          entry.run();
        } catch (error) {
          reject(error);
          return;
        }
        // A tick that is requested by the last microtask runs when no other is left.
        void settled.then(afterMicrotasks);
      };
      const afterMicrotasks = (): void => process.nextTick(next);
      // Ticks of an unfinished turn would precede its microtasks.
      void settled.then(afterMicrotasks);
    });
  }

  #push(at: number, tie: number, run: () => void): Entry {
    this.#count += 1;
    const entry: Entry = { at, tie, number: this.#count, run, cancelled: false };
    const heap = this.#heap;
    let index = heap.length;
    heap.push(entry);
    while (index > 0) {
      const parentIndex = (index - 1) >> 1;
      const parent = heap[parentIndex] as Entry;
      if (!isBefore(entry, parent)) break;
      heap[index] = parent;
      index = parentIndex;
    }
    heap[index] = entry;
    return entry;
  }

  #next(until: number): Entry | null {
    for (;;) {
      const first = this.#heap[0];
      if (first === undefined || first.at > until) return null;
      this.#pop();
      if (!first.cancelled) return first;
    }
  }

  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    let index = 0;
    for (;;) {
      let child = 2 * index + 1;
      if (child >= heap.length) break;
      const right = heap[child + 1];
      if (right !== undefined && isBefore(right, heap[child] as Entry)) child += 1;
      const smaller = heap[child] as Entry;
      if (!isBefore(smaller, last)) break;
      heap[index] = smaller;
      index = child;
    }
    heap[index] = last;
  }
}
