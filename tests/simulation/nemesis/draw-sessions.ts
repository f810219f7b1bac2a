import type { CallPlan, TurnPlan } from '../history.ts';
import type { Dice } from '../world/dice.ts';
import type { Profile } from './profile.ts';

const drawTurn = (dice: Dice, call: CallPlan, before: TurnPlan | undefined): TurnPlan => {
  const inputTokens = 5 + dice.int(100);
  const said = before === undefined ? 0 : before.promptTokens + before.outputTokens;
  const promptTokens = said + inputTokens;
  return {
    inputTokens,
    promptTokens,
    cachedTokens: dice.chance(0.3) ? dice.int(said + 1) : 0,
    outputTokens: 1 + dice.int(400),
    chunks: 1 + dice.int(4),
    takesMs: Math.max(1, Math.round(call.takesMs * dice.between(0.3, 1.5))),
    isSilent: dice.chance(0.15),
  };
};

const withSession = (dice: Dice, call: CallPlan): CallPlan => {
  const count = 1 + dice.int(4);
  const turns: TurnPlan[] = [];
  while (turns.length < count) turns.push(drawTurn(dice, call, turns.at(-1)));
  const [first] = turns;
  if (first === undefined) return call;
  const { promptTokens, cachedTokens, outputTokens, chunks, takesMs } = first;
  return {
    ...call,
    ...{ promptTokens, cachedTokens, outputTokens, chunks, takesMs },
    // The cache of the first turn does not exist.
    promptEstimate: 0,
    limit: null,
    leavesAfterMs: dice.chance(0.2) ? dice.int(3 * call.takesMs + 100) : null,
    session: { turns },
  };
};

/** Drawn by itself, so that a history without sessions stays the one that its seed always gave. */
export const drawSessions = (
  dice: Dice,
  calls: readonly CallPlan[],
  { sessions }: Pick<Profile, 'sessions'>,
): CallPlan[] => {
  const share = dice.chance(sessions) ? dice.pick([0.3, 0.6, 1]) : 0;
  return calls.map((call) => {
    const isPlain = call.task === undefined && call.batch === undefined && call.cache === undefined;
    return isPlain && dice.chance(share) ? withSession(dice, call) : call;
  });
};
