import { accountPartitions } from '../../../domain/shared/partitions.ts';
import type { CallPlan, CustomerSetup, History, ModelPrice, Setup } from '../history.ts';
import { keeperName, relayName } from '../history.ts';
import { createDice, type Dice } from '../world/dice.ts';
import { drawBatches } from './draw-batches.ts';
import { drawCaches } from './draw-caches.ts';
import { drawPrice } from './draw-price.ts';
import { drawSessions } from './draw-sessions.ts';
import { drawActions } from './generate-actions.ts';
import type { Profile } from './profile.ts';
import { drawSize, type Size } from './size.ts';

/** About what a call costs. */
const usualCost = ({ modelMilli, completionMilli }: ModelPrice): number =>
  ((200 + (200 * completionMilli) / 1_000) * modelMilli) / 1_000;

const drawCustomer = (dice: Dice, price: ModelPrice, { tokens }: Size): CustomerSetup => {
  const cost = usualCost(price);
  const few = (): number => Math.ceil(cost * dice.pick([1, 4, 8, 20, 60, 200]));
  const count = dice.pick(tokens);
  return {
    balance: few(),
    tokens: Array.from({ length: count }, () => (dice.chance(0.6) ? null : few())),
  };
};

const drawClock = (dice: Dice, profile: Profile) => ({
  offsetMs: Math.round(
    dice.chance(0.2)
      ? dice.between(-profile.clockSpreadMs, profile.clockSpreadMs)
      : dice.between(-200, 200),
  ),
  drift: dice.between(-0.005, 0.005),
});

/** Any of the partitions, so that over many histories each is called. */
const drawProbes = (dice: Dice, count: number): readonly number[] =>
  Array.from({ length: count }, () => dice.int(accountPartitions));

const drawSetup = (dice: Dice, profile: Profile, size: Size): Setup => {
  const keepers = Math.min(dice.pick(size.keepers), profile.mostKeepers);
  const relays = Math.min(dice.pick(size.relays), profile.mostRelays);
  const models = Array.from({ length: dice.pick([1, 2]) }, () => drawPrice(dice));
  const [price] = models;
  if (price === undefined) throw new Error('a site has a model');
  const names = [
    ...Array.from({ length: keepers }, (_, nth) => keeperName(nth)),
    ...Array.from({ length: relays }, (_, nth) => relayName(nth)),
  ];
  const projections = dice.chance(profile.projections);
  const highMs = dice.pick([1, 2, 5, 20]);
  return {
    keepers,
    relays,
    projections,
    customers: Array.from({ length: dice.pick(size.customers) }, () =>
      drawCustomer(dice, price, size),
    ),
    models,
    latency: { lowMs: 0.2, highMs },
    clocks: Object.fromEntries(names.map((name) => [name, drawClock(dice, profile)])),
    preConsumedTokens: dice.pick([100, 500]),
    lengthMs: dice.pick(size.lengthMs),
    // Read models are built when their process starts for the first time, which takes longer.
    ...(size.bootMs !== null && !projections && { bootMs: size.bootMs }),
    ...(size.leases !== null && { leases: size.leases }),
    ...(size.probes !== null && { probes: drawProbes(dice, size.probes) }),
  };
};

type CallNeeds = Readonly<{ dice: Dice; setup: Setup; profile: Profile; size: Size }>;

const drawLimit = (dice: Dice, outputTokens: number, mayUnderestimate: boolean): number | null => {
  if (mayUnderestimate && dice.chance(0.3)) return null;
  return outputTokens + dice.int(100);
};

const drawCall = ({ dice, setup, profile, size }: CallNeeds, at: number): CallPlan => {
  const customer = dice.int(setup.customers.length);
  const promptTokens = 20 + dice.int(400);
  const outputTokens = 1 + dice.int(400);
  const isShort = profile.underestimates && dice.chance(0.1);
  return {
    at: Math.round(at),
    customer,
    token: dice.int(setup.customers[customer]?.tokens.length ?? 1),
    relay: dice.int(setup.relays),
    model: dice.int(setup.models.length),
    promptTokens,
    promptEstimate: isShort ? Math.ceil(promptTokens / 3) : promptTokens,
    cachedTokens: dice.chance(0.2) ? dice.int(promptTokens) : 0,
    outputTokens,
    limit: drawLimit(dice, outputTokens, profile.underestimates),
    chunks: dice.chance(0.3) ? 1 + dice.int(4) : 0,
    takesMs: Math.round(dice.pick(size.takesMs) * dice.between(0.5, 1.5)),
    fate: dice.chance(0.9) ? 'served' : dice.pick(['refused', 'broken']),
    leavesAfterMs: dice.chance(0.05) ? dice.int(1_000) : null,
  };
};

/** Drawn by itself, so that a history without tasks stays the one that its seed always gave. */
const withTask = (dice: Dice, call: CallPlan): CallPlan => ({
  ...call,
  cachedTokens: 0,
  chunks: 0,
  promptEstimate: call.promptTokens,
  task: {
    end: dice.pick(['succeeded', 'failed', 'failed', 'settled']),
    endsAfterMs: dice.pick([0, 50, 300, 1_500]),
    usedTokens: dice.int(call.outputTokens + 1),
  },
});

const drawTasks = (dice: Dice, calls: readonly CallPlan[], { tasks }: Profile): CallPlan[] => {
  const share = dice.chance(tasks) ? dice.pick([0.3, 0.6, 1]) : 0;
  return calls.map((call) => (dice.chance(share) ? withTask(dice, call) : call));
};

const drawCalls = (needs: CallNeeds): CallPlan[] => {
  const { dice, setup, size } = needs;
  const count = size.calls.fewest + dice.int(size.calls.more);
  const isBursty = dice.chance(0.3);
  let at = 0;
  return Array.from({ length: count }, () => {
    at = isBursty && dice.chance(0.7) ? at : dice.between(0, setup.lengthMs);
    return drawCall(needs, at);
  }).sort((left, right) => left.at - right.at);
};

/** One history; the same seed and profile give the same one. */
export const generate = (seed: number, profile: Profile): History => {
  const dice = createDice(seed).fork('history');
  const size = drawSize(dice.fork('size'), profile);
  const setup = drawSetup(dice.fork('setup'), profile, size);
  const drawn = drawCalls({ dice: dice.fork('calls'), setup, profile, size });
  const withTasks = drawTasks(dice.fork('tasks'), drawn, profile);
  const withBatches = drawBatches(dice.fork('batches'), withTasks, profile);
  const withCaches = drawCaches(dice.fork('caches'), withBatches, profile);
  const calls = drawSessions(dice.fork('sessions'), withCaches, profile);
  const fromActions = dice.fork('actions');
  const count = fromActions.pick(size.actions);
  const actions = drawActions(fromActions, count, { setup, profile });
  return { version: 1, seed, setup, calls, actions };
};
