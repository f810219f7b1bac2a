import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readHistory } from './campaign/replay.ts';
import { openSimulator, type Simulator } from './campaign/simulator.ts';
import { bundleWithFaults } from './faults/catalogue.ts';
import { knownFaults } from './known-faults.ts';

const directory = new URL('./histories/', import.meta.url).pathname;
const names = readdirSync(directory).map((file) => file.replace(/\.json$/, ''));
const failing = new Set(knownFaults.map(({ name }) => name));
const mended = names.filter((name) => !failing.has(name));

let simulator: Simulator;
beforeAll(async () => {
  simulator = openSimulator(await bundleWithFaults([]));
});
afterAll(() => simulator.stop());

const kindsOf = async (name: string): Promise<readonly string[]> => {
  const { violations } = await simulator.run(readHistory(`${directory}${name}.json`));
  return [...new Set(violations.map(({ kind }) => kind))].sort();
};

test('every open defect has its history', () => {
  expect([...failing].filter((name) => !names.includes(name))).toEqual([]);
});

test.each(mended)('the history %s, which showed a fault once, shows none', async (name) => {
  expect(await kindsOf(name)).toEqual([]);
});

test.each(knownFaults)('not fixed yet: $name, $what', async ({ name, shows }) => {
  expect(await kindsOf(name)).toEqual([...shows].sort());
});
