import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { search } from './campaign/campaign.ts';
import { openSimulator, type Simulator } from './campaign/simulator.ts';
import { bundleWithFaults, faults, profileOf } from './faults/catalogue.ts';

/** Each fault is found within so many histories; twice as many are allowed as the slowest takes today. */
const histories = 400;
const firstSeed = 1;

let plain: Simulator;
let faulty: Simulator | null = null;
beforeAll(async () => {
  plain = openSimulator(await bundleWithFaults([]));
});
afterEach(async () => {
  await faulty?.stop();
  faulty = null;
});
afterAll(() => plain.stop());

const kindsOf = (violations: readonly Readonly<{ kind: string }>[]): readonly string[] =>
  violations.map(({ kind }) => kind);

test.each(faults)('$name is found: $what', async (fault) => {
  const profile = profileOf(fault);
  faulty = openSimulator(await bundleWithFaults([fault.name]));
  const plan = { from: firstSeed, histories, seconds: null, profile };
  const { failure, foundAfter } = await search([faulty], plan);
  console.log(`simulation: ${fault.name} found after ${foundAfter} histories`);
  expect(failure).not.toBeNull();
  const history = await plain.generate(failure?.seed ?? firstSeed, profile);
  const shown = kindsOf((await faulty.run(history)).violations);
  const without = kindsOf((await plain.run(history)).violations);
  expect(shown.filter((kind) => fault.shows.some((wanted) => wanted === kind))).not.toEqual([]);
  // The fault is the reason: without it the same history shows nothing of the kind.
  expect(without.filter((kind) => fault.shows.some((wanted) => wanted === kind))).toEqual([]);
});
