import type { CallPlan } from '../history.ts';
import type { Dice } from '../world/dice.ts';
import type { Profile } from './profile.ts';

/** About as long as prompts, so that customers can pay for them; now and then as long as a book. */
const fewestTokens = 64;
const quickMs = 50;

const drawTokens = (dice: Dice): number =>
  fewestTokens + (dice.chance(0.05) ? dice.int(40_000) : dice.int(600));

/** Made early and soon, so that calls find it; the relay's own count is a little off the provider's. */
const making = (dice: Dice, call: CallPlan, id: number): CallPlan => {
  const promptTokens = drawTokens(dice);
  return {
    ...call,
    at: Math.round(call.at / 4),
    takesMs: Math.min(call.takesMs, quickMs),
    promptTokens,
    promptEstimate: Math.round(promptTokens * dice.pick([1, 1, 0.9, 1.2])),
    cachedTokens: 0,
    chunks: 0,
    cache: {
      does: 'make',
      id,
      creationMilli: dice.pick([1_000, 1_250, 1_250, 4_600]),
      livesMs: dice.pick([200, 2_000, 20_000]),
    },
  };
};

const reading = (call: CallPlan, { model, cache }: CallPlan): CallPlan => ({
  ...call,
  model,
  cachedTokens: 0,
  ...(cache !== undefined && { cache: { does: 'read', id: cache.id } }),
});

/** A customer makes a cache now and then, and reads the newest one meanwhile. */
const withCaches = (dice: Dice, calls: readonly CallPlan[]): CallPlan[] => {
  const newest = new Map<number, CallPlan>();
  return calls.map((call, id) => {
    if (call.task !== undefined || call.batch !== undefined) return call;
    // A name of another customer's is as good as none.
    const isOwn = dice.chance(0.9);
    const made = isOwn ? newest.get(call.customer) : [...newest.values()].at(-1);
    if (made === undefined || dice.chance(0.15)) {
      const maker = making(dice, call, id);
      newest.set(call.customer, maker);
      return maker;
    }
    return dice.chance(0.8) ? reading(call, made) : call;
  });
};

/** Drawn by itself, so that a history without caches stays the one that its seed always gave. */
export const drawCaches = (
  dice: Dice,
  calls: readonly CallPlan[],
  { caches }: Pick<Profile, 'caches'>,
): CallPlan[] => (dice.chance(caches) ? withCaches(dice, calls) : [...calls]);
