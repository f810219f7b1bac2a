import type { LeaseTimes } from '../history.ts';
import type { Dice } from '../world/dice.ts';
import type { Profile } from './profile.ts';

/** What a history is drawn from: each number is picked from its list, equally likely. */
export type Size = Readonly<{
  keepers: readonly number[];
  relays: readonly number[];
  customers: readonly number[];
  /** Of each customer. */
  tokens: readonly number[];
  /** So many calls, and up to as many more. */
  calls: Readonly<{ fewest: number; more: number }>;
  actions: readonly number[];
  lengthMs: readonly number[];
  /** About how long the provider takes for an answer. */
  takesMs: readonly number[];
  /** null: the usual one, and so below. */
  bootMs: number | null;
  leases: LeaseTimes | null;
  /** Partitions that are called at the end. */
  probes: number | null;
}>;

const large: Size = {
  keepers: [1, 2, 2, 3],
  relays: [1, 2, 2, 3],
  customers: [1, 2, 3],
  tokens: [1, 1, 2, 3],
  calls: { fewest: 5, more: 35 },
  actions: [0, 1, 2, 3, 4, 6],
  lengthMs: [4_000, 8_000, 12_000],
  takesMs: [20, 200, 1_000, 3_000],
  bootMs: null,
  leases: null,
  probes: null,
};

/** Most defects of concurrency need two machines, a few calls and a fault or two at the wrong moment. */
const small: Size = {
  keepers: [1, 1, 2],
  relays: [1, 1, 2],
  customers: [1, 1, 2],
  tokens: [1, 1, 2],
  calls: { fewest: 2, more: 7 },
  actions: [0, 1, 1, 2, 3],
  lengthMs: [600, 1_200, 2_500],
  takesMs: [20, 100, 400],
  bootMs: 700,
  leases: { ttlMs: 1_500, idleMs: 400 },
  probes: 1,
};

export const drawSize = (dice: Dice, { smallShare }: Profile): Size =>
  dice.chance(smallShare) ? small : large;
