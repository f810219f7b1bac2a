import type { KeyValue } from '../../../infra/ports/bus.ts';
import type { Clock } from '../../../infra/ports/clock.ts';
import { windowMs } from './window.ts';

/** After a failure, the store is left alone so long. */
const awayMs = 1_000;

type CountTerms = Readonly<{
  store: KeyValue;
  key: string;
  clock: Clock;
  now: () => number;
  onAway: (error: unknown) => void;
}>;

/**
 * What all relays hold of one limit, as a counter in the bus's key-value store. A counter expires
 * after a minute of the clock: what is held is part of the counter of this minute and of the next
 * one, and a relay adds what it still holds when a minute begins. So the share of a relay that died
 * expires after two minutes, and no counter lacks the share of a running relay.
 */
export class SharedCount {
  /** What this relay has in the counters. */
  own = 0;
  /** What other relays had, when last seen. */
  others = 0;
  readonly #terms: CountTerms;
  #minute = -1;
  #awayUntil = 0;
  #seenAt = Number.NEGATIVE_INFINITY;

  constructor(terms: CountTerms) {
    this.#terms = terms;
  }

  /** A new minute has begun, and its counter lacks what this relay holds. */
  get isDue(): boolean {
    return this.own > 0 && this.#now > this.#minute;
  }

  /**
   * Holds this number from now on, whatever the limit; `others` then returns what the others hold.
   * While the store is away, `others` keeps its last value for at most a minute and is 0
   * afterwards: traffic does not stop because the counters are away.
   */
  async set(own: number): Promise<void> {
    const { now, onAway } = this.#terms;
    if (now() - this.#seenAt > windowMs) this.others = 0;
    if (now() < this.#awayUntil) return;
    try {
      await this.#write(own);
      this.#seenAt = now();
    } catch (error) {
      this.#awayUntil = now() + awayMs;
      onAway(error);
    }
  }

  get #now(): number {
    return Math.floor(this.#terms.clock().getTime() / windowMs);
  }

  async #write(own: number): Promise<void> {
    const minute = Math.max(this.#minute, this.#now);
    const passed = this.#minute === -1 ? 2 : minute - this.#minute;
    const inThis = passed >= 2 ? own : own - this.own;
    const inNext = passed >= 1 ? own : own - this.own;
    const [count] = await Promise.all([
      this.#add(minute, inThis),
      this.#add(minute + 1, inNext),
      // The clock of another relay may still be in the minute before.
      passed === 1 ? this.#terms.store.remove(this.#keyOf(minute - 2)) : false,
    ]);
    this.own = own;
    this.#minute = minute;
    this.others = Math.max(0, count - own);
  }

  #add(minute: number, by: number): Promise<number> {
    return this.#terms.store.increment(this.#keyOf(minute), by);
  }

  #keyOf(minute: number): string {
    return `${this.#terms.key}.${minute}`;
  }
}
