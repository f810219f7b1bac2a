import { afterEach, expect, test } from 'vitest';
import { search } from './campaign/campaign.ts';
import { openSimulator, type Simulator } from './campaign/simulator.ts';
import { bundleWithFaults, faults } from './faults/catalogue.ts';
import { today } from './known-faults.ts';

/** The bar: each fault is found within so many histories. */
const histories = 10_000;
const firstSeed = 1;

let simulator: Simulator | null = null;
afterEach(async () => {
  await simulator?.stop();
  simulator = null;
});

test.each(faults)('finds that $what', { timeout: 600_000 }, async ({ name, shows }) => {
  simulator = openSimulator(await bundleWithFaults([name]));
  const plan = { from: firstSeed, histories, seconds: null, profile: today };
  const { failure, foundAfter } = await search([simulator], plan);
  console.log(`simulation: ${name} found after ${foundAfter} histories`);
  const kinds = failure?.violations.map(({ kind }) => kind) ?? [];
  expect(kinds.filter((kind) => shows.includes(kind))).not.toEqual([]);
});
