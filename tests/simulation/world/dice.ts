import type { Random } from '../../../infra/ports/random.ts';

/** One seeded source of chance; the same seed gives the same rolls on every machine. */
export interface Dice extends Random {
  /** A whole number from 0 to `below`, `below` excluded. */
  int(below: number): number;
  /** From `low` to `high`, `high` excluded. */
  between(low: number, high: number): number;
  chance(probability: number): boolean;
  pick<T>(items: readonly T[]): T;
  /** A separate source: what is drawn from it does not move this one. */
  fork(label: string): Dice;
}

const hashOf = (text: string, seed: number): number => {
  // FNV-1a
  let hash = (0x811c9dc5 ^ seed) >>> 0;
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  return hash >>> 0;
};

const hex = (value: number): string => (value >>> 0).toString(16).padStart(8, '0');

export const createDice = (seed: number): Dice => {
  let state = seed >>> 0;
  const next = (): number => {
    // mulberry32
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  const fraction = (): number => next() / 4_294_967_296;
  return {
    fraction,
    int: (below) => Math.floor(fraction() * below),
    between: (low, high) => low + fraction() * (high - low),
    chance: (probability) => fraction() < probability,
    pick: (items) => {
      const item = items[Math.floor(fraction() * items.length)];
      if (item === undefined) throw new Error('nothing to pick from');
      return item;
    },
    fork: (label) => createDice(hashOf(label, seed)),
    bytes: (size) => Uint8Array.from({ length: size }, () => next() & 0xff),
    uuid: () => {
      const [a, b, c, d] = [hex(next()), hex(next()), hex(next()), hex(next())];
      const high = `${a}-${b.slice(0, 4)}-4${b.slice(5)}`;
      return `${high}-a${c.slice(1, 4)}-${c.slice(4)}${d}`;
    },
  };
};
