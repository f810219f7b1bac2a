import { formOf } from './form.ts';

export type ChaosScale = Readonly<{
  /** Calls that the provider serves at least. */
  requests: number;
  customers: number;
  /** Of each customer at each relay. */
  clientsEach: number;
  /** Faults at a time. */
  together: number;
  /** Between two rounds of faults. */
  gapMs: number;
  /** Rounds until a time without faults that is long enough for leases to run out. */
  roundsPerRest: number;
  timeoutMs: number;
}>;

const short: ChaosScale = {
  requests: 300,
  customers: 6,
  clientsEach: 2,
  together: 4,
  gapMs: 500,
  roundsPerRest: Number.POSITIVE_INFINITY,
  timeoutMs: 900_000,
};
const full: ChaosScale = {
  requests: 10_000,
  customers: 16,
  clientsEach: 2,
  together: 3,
  gapMs: 12_000,
  roundsPerRest: 4,
  timeoutMs: 3_600_000,
};

/**
 * `CHAOS_MINUTES` ends the faults earlier, for slow machines; the table shows how many calls were
 * served.
 */
export const chaosScale = (): ChaosScale => formOf({ short, full });
export const maxChaosMs = Number(process.env.CHAOS_MINUTES ?? Number.POSITIVE_INFINITY) * 60_000;

/** Numbers from 0 to 1. The seed is printed; `CHAOS_SEED` repeats a run's choices. */
export const startDice = (): (() => number) => {
  let state = Number(process.env.CHAOS_SEED ?? Date.now() % 1_000_000);
  console.log(`chaos: seed ${state}`);
  return () => {
    // mulberry32
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
};

export const shuffled = <T>(items: readonly T[], dice: () => number): readonly T[] =>
  items
    .map((item) => ({ item, at: dice() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
