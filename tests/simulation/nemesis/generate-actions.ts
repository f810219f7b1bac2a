import {
  type Action,
  type ActionKind,
  keeperName,
  projectionsName,
  relayName,
  type Setup,
} from '../history.ts';
import type { Dice } from '../world/dice.ts';
import { drawPrice } from './draw-price.ts';
import type { Profile } from './profile.ts';

type Needs = Readonly<{ dice: Dice; setup: Setup; profile: Profile; at: number }>;

const drawKind = (dice: Dice, { kinds }: Profile): ActionKind => {
  const entries = Object.entries(kinds) as [ActionKind, number][];
  const total = entries.reduce((sum, [, weight]) => sum + weight, 0);
  let left = dice.fraction() * total;
  for (const [kind, weight] of entries) {
    left -= weight;
    if (left < 0) return kind;
  }
  throw new Error('a profile names a kind');
};

const relay = ({ dice, setup }: Needs): string => relayName(dice.int(setup.relays));
const keeper = ({ dice, setup }: Needs): string => keeperName(dice.int(setup.keepers));
const host = (needs: Needs): string => {
  if (needs.setup.projections && needs.dice.chance(0.3)) return projectionsName;
  return needs.dice.chance(0.5) ? relay(needs) : keeper(needs);
};
const serversOf = (client: string): readonly string[] => {
  if (client === projectionsName) return ['bus', 'log', 'database', 'database'];
  return client.startsWith('keeper') ? ['bus', 'log'] : ['bus'];
};
const line = (needs: Needs): Readonly<{ a: string; b: string }> => {
  const a = host(needs);
  return { a, b: needs.dice.pick(serversOf(a)) };
};
const absence = ({ dice, profile }: Needs): number =>
  Math.round(Math.min(dice.pick([100, 500, 2_000, 6_000, 12_000]), profile.longestAbsenceMs));
const down = ({ dice }: Needs): number => Math.round(dice.pick([50, 500, 2_000, 6_000]));
const customer = ({ dice, setup }: Needs): number => dice.int(setup.customers.length);
/** Customers spend some hundreds of units a call. */
const units = ({ dice }: Needs): number => dice.pick([100, 1_000, 5_000, 20_000]);

const drawBudget = (needs: Needs): Action => {
  const { dice, setup, at } = needs;
  const index = customer(needs);
  const token = dice.int(setup.customers[index]?.tokens.length ?? 1);
  const remain = dice.chance(0.3) ? null : units(needs);
  return { kind: 'set-budget', at, customer: index, token, remain };
};

const drawers: Readonly<Record<ActionKind, (needs: Needs) => Action>> = {
  crash: (n) => ({ kind: 'crash', at: n.at, forMs: down(n), machine: host(n) }),
  'lose-power': (n) => ({ kind: 'lose-power', at: n.at, forMs: down(n), machine: relay(n) }),
  stop: (n) => ({ kind: 'stop', at: n.at, forMs: 2_000 + down(n), machine: host(n) }),
  pause: (n) => ({ kind: 'pause', at: n.at, forMs: absence(n), machine: host(n) }),
  'jump-clock': (n) => ({
    kind: 'jump-clock',
    at: n.at,
    machine: host(n),
    byMs: Math.round(n.dice.between(-1, 1) * n.profile.clockSpreadMs),
  }),
  hold: (n) => ({ kind: 'hold', at: n.at, forMs: absence(n), ...line(n) }),
  break: (n) => ({ kind: 'break', at: n.at, forMs: absence(n), ...line(n) }),
  slow: (n) => ({ kind: 'slow', at: n.at, forMs: absence(n), ...line(n), byMs: n.dice.int(400) }),
  reset: (n) => ({ kind: 'reset', at: n.at, ...line(n) }),
  'fill-disk': (n) => ({ kind: 'fill-disk', at: n.at, forMs: absence(n), machine: relay(n) }),
  'fill-log': (n) => ({ kind: 'fill-log', at: n.at, forMs: absence(n) }),
  'fill-bus': (n) => ({ kind: 'fill-bus', at: n.at, forMs: absence(n) }),
  'flip-bit': (n) => ({ kind: 'flip-bit', at: n.at, forMs: down(n), machine: relay(n) }),
  'lose-file': (n) => ({ kind: 'lose-file', at: n.at, forMs: down(n), machine: relay(n) }),
  'restart-bus': (n) => ({
    kind: 'restart-bus',
    at: n.at,
    forMs: absence(n),
    agoMs: Math.min(n.dice.pick([0, 500, 5_000]), n.profile.busForgetsMs),
  }),
  'empty-bus': (n) => ({ kind: 'empty-bus', at: n.at, forMs: absence(n) }),
  'restart-log': (n) => ({ kind: 'restart-log', at: n.at, forMs: absence(n) }),
  'restore-log': (n) => ({ kind: 'restore-log', at: n.at, agoMs: n.dice.int(4_000) }),
  'restore-read-models': (n) => ({
    kind: 'restore-read-models',
    at: n.at,
    agoMs: n.dice.int(4_000),
  }),
  'change-price': (n) => ({
    kind: 'change-price',
    at: n.at,
    model: n.dice.int(n.setup.models.length),
    price: drawPrice(n.dice),
  }),
  'set-budget': drawBudget,
  'delete-token': (n) => {
    const index = customer(n);
    const token = n.dice.int(n.setup.customers[index]?.tokens.length ?? 1);
    return { kind: 'delete-token', at: n.at, customer: index, token };
  },
  adjust: (n) => ({
    kind: 'adjust',
    at: n.at,
    customer: customer(n),
    delta: n.dice.chance(0.5) ? units(n) : -units(n),
  }),
  'empty-balance': (n) => ({ kind: 'empty-balance', at: n.at, customer: customer(n) }),
  'top-up': (n) => ({ kind: 'top-up', at: n.at, customer: customer(n), amount: units(n) }),
  correct: (n) => ({
    kind: 'correct',
    at: n.at,
    customer: customer(n),
    percent: n.dice.pick([10, 50, 100]),
  }),
  refund: (n) => ({
    kind: 'refund',
    at: n.at,
    customer: customer(n),
    percent: n.dice.pick([10, 50, 100]),
  }),
  tamper: (n) => ({ kind: 'tamper', at: n.at, what: n.dice.pick(n.profile.tamperings) }),
};

/** In the order of time; some histories have none, so that calm weather is seen too. */
export const drawActions = (
  dice: Dice,
  count: number,
  { setup, profile }: Pick<Needs, 'setup' | 'profile'>,
): Action[] =>
  Array.from({ length: count }, () => {
    const at = Math.round(dice.between(0, setup.lengthMs));
    return drawers[drawKind(dice, profile)]({ dice, setup, profile, at });
  }).sort((left, right) => left.at - right.at);
