export type ChaosScale = Readonly<{
  /** Calls that relays take on. */
  requests: number;
  /** Kills of the product's own processes; each engine is killed once beside. */
  processKills: number;
  clients: number;
  timeoutMs: number;
  /** How long the control plane is away. */
  outageMs: number;
}>;

const short: ChaosScale = {
  requests: 1_500,
  processKills: 6,
  clients: 24,
  timeoutMs: 240_000,
  outageMs: 8_000,
};
const full: ChaosScale = {
  requests: 10_000,
  processKills: 20,
  clients: 40,
  timeoutMs: 1_200_000,
  outageMs: 60_000,
};

/** `npm run test:chaos` runs the full form, `npm test` the short one. */
export const chaosScale = (): ChaosScale => (process.env.CHAOS === 'full' ? full : short);

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
