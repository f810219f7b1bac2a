import { afterAll, beforeAll, expect, test } from 'vitest';
import { search } from './campaign/campaign.ts';
import { openSimulator, type Simulator } from './campaign/simulator.ts';
import { bundleWithFaults } from './faults/catalogue.ts';
import { today } from './known-faults.ts';

/** Two minutes where `npm test` runs as a whole, a moment otherwise. */
const seconds = Number(process.env.SIMULATION_SECONDS ?? 15);

let simulator: Simulator;
beforeAll(async () => {
  simulator = openSimulator(await bundleWithFaults([]));
});
afterAll(() => simulator.stop());

test('two runs of one history are the same, event by event', async () => {
  const history = await simulator.generate(4_711, today);
  const [first, second] = [await simulator.run(history), await simulator.run(history)];
  expect(first.fingerprint).toBe(second.fingerprint);
  const traced = await simulator.run(history, { isTraced: true });
  expect(traced.fingerprint).toBe(first.fingerprint);
});

test(`${seconds} seconds of fresh seeds find nothing`, {
  timeout: (seconds + 60) * 1_000,
}, async () => {
  const from = 1 + (Date.now() % 1_000_000_000);
  const plan = { from, histories: null, seconds, profile: today };
  const { failure, histories } = await search([simulator], plan);
  console.log(`simulation: ${histories} histories from seed ${from}`);
  const replay = `npm run simulate -- --seed ${failure?.seed}`;
  expect(failure, replay).toBeNull();
});
