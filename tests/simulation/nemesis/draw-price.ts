import type { ModelPrice } from '../history.ts';
import type { Dice } from '../world/dice.ts';

export const drawPrice = (dice: Dice): ModelPrice => ({
  modelMilli: dice.pick([250, 500, 1_000, 1_500, 7_300]),
  completionMilli: dice.pick([1_000, 2_000, 3_000, 4_333]),
  cacheMilli: dice.pick([100, 500, 1_000]),
  groupMilli: dice.pick([1_000, 1_000, 800, 1_250]),
});
