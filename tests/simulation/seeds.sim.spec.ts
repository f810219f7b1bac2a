import { afterAll, beforeAll, expect, test } from 'vitest';
import { search } from './campaign/campaign.ts';
import { openSimulator, type Simulator } from './campaign/simulator.ts';
import { bundleWithFaults } from './faults/catalogue.ts';
import { today } from './known-faults.ts';
import { full } from './nemesis/profile.ts';

/** The same ones each time. */
const fixedHistories = 400;
/** Others each time; a manual campaign runs as long as configured. */
const freshSeconds = Number(process.env.SIMULATION_SECONDS ?? 5);
const digestedHistories = 10;

let simulator: Simulator;
let other: Simulator;
beforeAll(async () => {
  const path = await bundleWithFaults([]);
  simulator = openSimulator(path);
  other = openSimulator(path);
});
afterAll(() => Promise.all([simulator.stop(), other.stop()]));

const expectNothing = async (
  plan: Pick<Parameters<typeof search>[1], 'from' | 'histories' | 'seconds'>,
) => {
  const { failure, histories } = await search([simulator], { ...plan, profile: today });
  console.log(`simulation: ${histories} histories from seed ${plan.from}`);
  const again = `npm run simulate -- --seed ${failure?.seed} --histories 1`;
  expect(failure, failure === null ? '' : again).toBeNull();
};

test('the same seed gives the same digest, whatever ran before it', async () => {
  for (let seed = 1; seed <= digestedHistories; seed += 1) {
    const history = await simulator.generate(seed, full);
    expect(await other.generate(seed, full)).toEqual(history);
    const first = await simulator.run(history);
    expect((await simulator.run(history)).digest).toBe(first.digest);
    expect((await simulator.run(history, { isTraced: true })).digest).toBe(first.digest);
    await other.run(await other.generate(seed + 1, full));
    expect((await other.run(history)).digest).toBe(first.digest);
  }
});

test('another seed, call or action gives another digest', async () => {
  const history = await simulator.generate(1, full);
  const { digest } = await simulator.run(history);
  const action = { kind: 'pause', at: 100, forMs: 700, machine: 'relay-1' } as const;
  const changed = [
    { ...history, seed: history.seed + 1 },
    { ...history, calls: history.calls.slice(1) },
    { ...history, actions: [action] },
  ];
  for (const candidate of changed) {
    expect((await simulator.run(candidate)).digest).not.toBe(digest);
  }
});

test(`${fixedHistories} fixed seeds show nothing`, async () => {
  await expectNothing({ from: 1, histories: fixedHistories, seconds: null });
});

test(`${freshSeconds} seconds of fresh seeds show nothing`, {
  timeout: (freshSeconds + 60) * 1_000,
}, async () => {
  const from = 1 + (Date.now() % 1_000_000_000);
  await expectNothing({ from, histories: null, seconds: freshSeconds });
});
