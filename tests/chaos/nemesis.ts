import { setTimeout as pause } from 'node:timers/promises';
import type { Fault } from './faults.ts';
import { shuffled } from './plan.ts';

/** When what was disturbed, in milliseconds of the monotonic clock. */
export type Disturbance = Readonly<{ kind: string; target: string; from: number; to: number }>;

type Progress = Readonly<{ served: () => number; isEnough: () => boolean }>;

export type Nemesis = Readonly<{
  disturbances: readonly Disturbance[];
  /** Every kind of fault at least once, a few at a time; then on, until `isEnough`. */
  run: (progress: Progress) => Promise<void>;
  /** Nothing was disturbed then, nor for `calmMs` before. */
  isCalm: (from: number, to: number) => boolean;
}>;

export type NemesisPlan = Readonly<{
  faults: readonly Fault[];
  dice: () => number;
  /** How long leases of what was disturbed may be kept from others. */
  calmMs: number;
  /** Faults at a time. */
  together: number;
  gapMs: number;
  /** Rounds between two quiet times. */
  roundsPerRest: number;
}>;

/** Faults of different targets, the first of each; the rest of the queue stays. */
const takeRound = (queue: Fault[], count: number): readonly Fault[] => {
  const round: Fault[] = [];
  for (const fault of [...queue]) {
    if (round.length === count) break;
    if (round.some(({ target }) => target === fault.target)) continue;
    round.push(fault);
    queue.splice(queue.indexOf(fault), 1);
  }
  return round;
};

/** One fault of each kind, of a target that the dice choose. */
const oneOfEach = (faults: readonly Fault[], dice: () => number): Fault[] => {
  const chosen = new Map<string, Fault>();
  for (const fault of shuffled(faults, dice)) {
    if (!chosen.has(fault.kind)) chosen.set(fault.kind, fault);
  }
  return [...chosen.values()];
};

export const createNemesis = (plan: NemesisPlan): Nemesis => {
  const { faults, dice, calmMs, together, gapMs, roundsPerRest } = plan;
  const disturbances: Disturbance[] = [];

  const strike = async ({ kind, target, strike: begin }: Fault): Promise<void> => {
    await pause(dice() * 1_000);
    const from = performance.now();
    const open = { kind, target, from, to: Number.POSITIVE_INFINITY };
    disturbances.push(open);
    await begin();
    open.to = performance.now();
  };

  const begunAt = performance.now();
  const note = (text: string): void => {
    const seconds = Math.round((performance.now() - begunAt) / 1_000);
    console.log(`chaos: ${seconds} s: ${text}`);
  };

  const run = async ({ served, isEnough }: Progress): Promise<void> => {
    const queue = shuffled(oneOfEach(faults, dice), dice).slice();
    for (let round = 1; queue.length > 0 || !isEnough(); round += 1) {
      if (queue.length === 0) queue.push(...shuffled(oneOfEach(faults, dice), dice));
      const faultsNow = takeRound(queue, together);
      const names = faultsNow.map(({ kind, target }) => `${kind} (${target})`);
      note(`${served()} served; ${names.join(', ')}`);
      await Promise.all(faultsNow.map(strike));
      await pause(round % roundsPerRest === 0 ? calmMs + 10_000 : gapMs);
    }
  };

  return {
    disturbances,
    run,
    isCalm: (from, to) => disturbances.every((one) => one.from > to || one.to + calmMs < from),
  };
};
