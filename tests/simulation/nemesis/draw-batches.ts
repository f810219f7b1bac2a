import type { BatchAnswer, BatchPlan, CallPlan } from '../history.ts';
import type { Dice } from '../world/dice.ts';
import type { Profile } from './profile.ts';

/** About a request's share of the estimate; now and then above it. */
const drawAnswer = (dice: Dice, promptTokens: number, outputTokens: number): BatchAnswer => {
  if (dice.chance(0.15)) return 'failed';
  if (dice.chance(0.15)) return 'silent';
  const prompt = 10 + dice.int(promptTokens + 1);
  return {
    promptTokens: prompt,
    cachedTokens: dice.chance(0.3) ? dice.int(prompt) : 0,
    outputTokens: dice.int(outputTokens + 1),
  };
};

const drawBatch = (dice: Dice, { promptTokens, outputTokens }: CallPlan): BatchPlan => {
  const requests = 1 + dice.int(4);
  const end = dice.pick(['completed', 'completed', 'expired', 'cancelled', 'failed'] as const);
  const carriedOut = end === 'completed' ? requests : dice.int(requests + 1);
  const answers = Array.from({ length: carriedOut }, () =>
    drawAnswer(dice, Math.floor(promptTokens / requests), Math.floor(outputTokens / requests)),
  );
  return {
    ...{ end, requests },
    answers: end === 'failed' ? [] : answers,
    endsAfterMs: dice.pick([0, 50, 300, 1_500]),
    ratioMilli: dice.pick([500, 500, 250, 1_000]),
    isGone: dice.chance(0.1),
    failures: {
      status: dice.chance(0.2) ? 1 + dice.int(3) : 0,
      results: dice.chance(0.2) ? 1 + dice.int(3) : 0,
    },
  };
};

const withBatch = (dice: Dice, call: CallPlan): CallPlan => ({
  ...call,
  cachedTokens: 0,
  chunks: 0,
  promptEstimate: call.promptTokens,
  batch: drawBatch(dice, call),
});

/** Drawn by itself, so that a history without batches stays the one that its seed always gave. */
export const drawBatches = (
  dice: Dice,
  calls: readonly CallPlan[],
  { batches }: Pick<Profile, 'batches'>,
): CallPlan[] => {
  const share = dice.chance(batches) ? dice.pick([0.3, 0.6, 1]) : 0;
  return calls.map((call) =>
    call.task === undefined && dice.chance(share) ? withBatch(dice, call) : call,
  );
};
