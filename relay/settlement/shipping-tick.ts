import type { Timer, Timers } from '../../infra/ports/timers.ts';

/** Milliseconds between two shipments; `busyMs`: where so many records wait that one of their own is worth its cost. */
export type Tick = Readonly<{ quietMs: number; busyMs: number }>;

const quietMs = 1_000;
const busyMs = 250;
const defaultTick: Tick = { quietMs, busyMs };
/** Records that wait at 100 calls a second when a quiet tick ends: those of more calls leave earlier. */
const busyRecords = 100;
/** Records that end a tick early. */
const largestTick = 2_048;

type Settings = Readonly<{
  timers: Timers;
  /** How long records gather before they leave after a quiet moment. */
  gatherMs: number;
  tick?: Tick | undefined;
  ship: () => void;
}>;

/** When records that wait leave for the bus. */
export class ShippingTick {
  readonly #settings: Settings;
  readonly #tick: Tick;
  #timer: Timer | null = null;
  /** When that ends, monotonic milliseconds. */
  #shipsAt = 0;
  #shippedAt = Number.NEGATIVE_INFINITY;
  #recalledAt = Number.NEGATIVE_INFINITY;

  constructor(settings: Settings) {
    this.#settings = settings;
    this.#tick = settings.tick ?? defaultTick;
  }

  /** A request waits at a keeper until the usage of its account is settled. */
  recalled(waiting: number): void {
    this.#recalledAt = this.#settings.timers.now();
    this.gather(waiting, true);
  }

  /** `isAwaited`: another request waits for one of these records. */
  gather(waiting: number, isAwaited: boolean): void {
    if (waiting === 0) return;
    const { timers, gatherMs, ship } = this.#settings;
    const now = timers.now();
    const soon = now + gatherMs;
    // What was recorded in the turn of the loop in which a recall came is here a moment after it.
    const isDue = isAwaited || now <= this.#recalledAt + gatherMs || waiting >= largestTick;
    const tickMs = waiting >= busyRecords ? this.#tick.busyMs : this.#tick.quietMs;
    const shipsAt = isDue ? soon : Math.max(soon, this.#shippedAt + tickMs);
    if (this.#timer !== null && this.#shipsAt <= shipsAt) return;
    timers.clear(this.#timer);
    this.#shipsAt = shipsAt;
    this.#timer = timers.setTimeout(() => {
      this.#timer = null;
      this.#shippedAt = timers.now();
      ship();
    }, shipsAt - now);
  }

  stop(): void {
    this.#settings.timers.clear(this.#timer);
    this.#timer = null;
  }
}
