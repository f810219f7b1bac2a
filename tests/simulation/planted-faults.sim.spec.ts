import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { findPlanted, keptHistory, shownBy } from './campaign/planted.ts';
import { openSimulator, type Simulator } from './campaign/simulator.ts';
import { bundleWithFaults, faults } from './faults/catalogue.ts';

/** Where the history that is kept shows nothing any more; `npm run simulate -- --planted` goes further. */
const histories = 400;

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

test.each(faults)('$name is found: $what', async (fault) => {
  faulty = openSimulator(await bundleWithFaults([fault.name]));
  const kept = keptHistory(fault);
  const isShown = kept !== null && (await shownBy(faulty, kept, fault)).length > 0;
  // The fault is the reason: without it the same history shows nothing of the kind.
  const isReason = isShown && (await shownBy(plain, kept, fault)).length === 0;
  if (isReason) return;
  const found = await findPlanted({ plain, faulty: [faulty] }, fault, histories);
  console.log(`simulation: ${fault.name} found after ${found?.foundAfter} histories`);
  expect(found).not.toBeNull();
});
