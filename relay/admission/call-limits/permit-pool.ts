import type { SharedCount } from './shared-count.ts';
import { windowMs } from './window.ts';

/** Permits are given back in steps: so many are late by less than this. */
const stepMs = 1_000;
/**
 * Permits taken in advance, so that not every call needs a request: at most this share of the
 * limit.
 */
const spareShare = 0.01;
/** And this share of what is left, so that the last permits stay where they can be had. */
const spareOfRoom = 0.1;
/** After a refusal, calls that need as much are refused for this long without another request. */
const refusedMs = 100;

/** What a call took from a pool. */
export type Hold = Readonly<{ amount: number; step: number }>;

type Waiting = Readonly<{ amount: number; resolve: (hold: Hold | null) => void }>;

type PoolTerms = Readonly<{
  count: SharedCount;
  now: () => number;
  /** Of a minute: each permit is released when its minute is over. */
  isPerMinute: boolean;
}>;

/**
 * The permits of one limit, over all relays. This relay takes permits from the shared count, some in
 * advance, and grants them to calls from memory; what it neither grants nor needs goes back.
 */
export class PermitPool {
  limit = 0;
  readonly #terms: PoolTerms;
  /** Permits of calls, and of those whose minute is not over. */
  #used = 0;
  /** Used by step of time, the oldest first. */
  readonly #steps = new Map<number, number>();
  #queue: Waiting[] = [];
  #isSyncing = false;
  #refusedUntil = 0;
  #refusedAmount = 0;

  constructor(terms: PoolTerms) {
    this.#terms = terms;
  }

  /** What may still be taken, by the last count that this relay read. */
  get remaining(): number {
    return Math.max(0, this.limit - this.#terms.count.others - this.#used);
  }

  /** Nothing is held, and nothing waits. */
  get isIdle(): boolean {
    return this.#used === 0 && this.#terms.count.own === 0 && !this.#isSyncing;
  }

  /** From memory; null: none is left, undefined: the shared count must be read. */
  tryTake(amount: number): Hold | null | undefined {
    this.#expire();
    // While an exchange runs, what the shared count has may be more than this relay will keep.
    if (!this.#isSyncing && this.#isCovered(amount)) return this.#grant(amount);
    const isRefused = this.#terms.now() < this.#refusedUntil && amount >= this.#refusedAmount;
    return isRefused ? null : undefined;
  }

  /** null: there are not so many left. */
  take(amount: number): Promise<Hold | null> {
    return new Promise((resolve) => {
      this.#queue.push({ amount, resolve });
      this.#sync();
    });
  }

  /** The hold is over before its time. */
  giveBack(hold: Hold): void {
    this.correct(hold, 0);
  }

  /** The call took more or less than it was granted; more counts from now on. */
  correct(hold: Hold, amount: number): void {
    const more = amount - hold.amount;
    if (more === 0) return;
    if (more > 0) this.#add(this.#step, more);
    // A hold whose minute is over has been given back.
    else if (this.#steps.has(hold.step)) this.#add(hold.step, more);
    this.#refusedUntil = 0;
    // A few are kept for the next call; more are returned at once, because other relays may need
    // them.
    const spare = this.#terms.count.own - this.#used;
    if (spare < 0 || spare > 2 * Math.floor(this.limit * spareShare)) this.#sync();
  }

  /** So many were used that no call was granted. */
  count(amount: number): void {
    this.correct({ amount: 0, step: this.#step }, amount);
  }

  /** Milliseconds until so many are available, by the last count that this relay read. */
  waitMs(amount: number): number {
    if (!this.#terms.isPerMinute) return stepMs;
    let missing = amount - this.remaining;
    for (const [step, used] of this.#steps) {
      missing -= used;
      if (missing <= 0) return this.#endOf(step) - this.#terms.now();
    }
    // Other relays hold it: assumes that their permits are released at an even rate.
    return Math.min(windowMs, Math.max(stepMs, (windowMs * amount) / this.limit));
  }

  /** Milliseconds until everything that this relay granted is free again. */
  resetMs(): number {
    if (!this.#terms.isPerMinute) return 0;
    const newest = [...this.#steps.keys()].at(-1);
    return newest === undefined ? 0 : this.#endOf(newest) - this.#terms.now();
  }

  /** Once a second: what has expired goes back, and what is held stays counted. */
  tick(): void {
    this.#expire();
    if (this.#terms.count.isDue || this.#terms.count.own !== this.#used) this.#sync();
  }

  get #step(): number {
    return this.#terms.isPerMinute ? Math.floor(this.#terms.now() / stepMs) : 0;
  }

  #endOf(step: number): number {
    return (step + 1) * stepMs + windowMs;
  }

  #isCovered(amount: number): boolean {
    return this.#used + amount <= this.#terms.count.own && amount <= this.remaining;
  }

  #add(step: number, amount: number): void {
    const used = (this.#steps.get(step) ?? 0) + amount;
    if (used === 0) this.#steps.delete(step);
    else this.#steps.set(step, used);
    this.#used += amount;
  }

  #grant(amount: number): Hold {
    const step = this.#step;
    this.#add(step, amount);
    return { amount, step };
  }

  #expire(): void {
    if (!this.#terms.isPerMinute) return;
    const now = this.#terms.now();
    for (const [step, used] of this.#steps) {
      if (this.#endOf(step) > now) return;
      this.#add(step, -used);
    }
  }

  /**
   * One exchange with the shared count at a time; calls that arrive meanwhile join the next one.
   */
  #sync(): void {
    if (this.#isSyncing) return;
    this.#isSyncing = true;
    void this.#exchange().finally(() => {
      this.#isSyncing = false;
      if (this.#queue.length > 0) this.#sync();
    });
  }

  async #exchange(): Promise<void> {
    this.#expire();
    const asked = this.#queue;
    this.#queue = [];
    const waiting = asked.filter((each) => !this.#answerFromSpare(each));
    if (asked.length > waiting.length && waiting.length === 0) return;
    const wanted = waiting.reduce((sum, { amount }) => sum + amount, 0);
    const spare = wanted > 0 ? this.#spareBeside(wanted) : 0;
    const { count } = this.#terms;
    await count.set(this.#used + wanted + spare);
    for (const each of waiting) this.#answer(each);
    // What was not granted is returned at once, because other relays may need it.
    const left = Math.max(0, Math.min(spare, this.remaining));
    if (count.own !== this.#used + left) await count.set(this.#used + left);
  }

  #spareBeside(wanted: number): number {
    const room = this.remaining - wanted;
    return Math.max(0, Math.floor(Math.min(this.limit * spareShare, room * spareOfRoom)));
  }

  #answerFromSpare({ amount, resolve }: Waiting): boolean {
    const isCovered = this.#isCovered(amount);
    if (isCovered) resolve(this.#grant(amount));
    return isCovered;
  }

  #answer({ amount, resolve }: Waiting): void {
    if (amount <= this.remaining) {
      resolve(this.#grant(amount));
      return;
    }
    this.#refusedUntil = this.#terms.now() + refusedMs;
    this.#refusedAmount = amount;
    resolve(null);
  }
}
