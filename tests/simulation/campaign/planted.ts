import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundleWithFaults, faults, profileOf } from '../faults/catalogue.ts';
import type { Fault } from '../faults/fault.ts';
import type { History } from '../history.ts';
import type { ViolationKind } from '../oracle/violations.ts';
import { search } from './campaign.ts';
import { readHistory } from './replay.ts';
import { openSimulator, type Simulator } from './simulator.ts';

const directory = new URL('../faults/histories/', import.meta.url).pathname;
const pathOf = ({ name }: Fault): string => join(directory, `${name}.json`);

/** The history that is kept of a planted fault; null: there is none. */
export const keptHistory = (fault: Fault): History | null =>
  existsSync(pathOf(fault)) ? readHistory(pathOf(fault)) : null;

const keep = (fault: Fault, history: History): void => {
  mkdirSync(directory, { recursive: true });
  writeFileSync(pathOf(fault), `${JSON.stringify(history, null, 1)}\n`);
};

/** The kinds of this fault that a history shows. */
export const shownBy = async (
  simulator: Simulator,
  history: History,
  { shows }: Fault,
): Promise<readonly ViolationKind[]> => {
  const { violations } = await simulator.run(history);
  return violations.map(({ kind }) => kind).filter((kind) => shows.includes(kind));
};

type Simulators = Readonly<{ plain: Simulator; faulty: readonly Simulator[] }>;
type Found = Readonly<{ history: History; foundAfter: number; cpuMs: number }>;

/** The first history that shows the fault, and nothing of the kind without it. null: none of so many. */
export const findPlanted = async (
  { plain, faulty }: Simulators,
  fault: Fault,
  histories: number,
): Promise<Found | null> => {
  const profile = profileOf(fault);
  let cpuMs = 0;
  for (let from = 1; from <= histories; ) {
    const left = histories - from + 1;
    const result = await search(faulty, { from, histories: left, seconds: null, profile });
    cpuMs += result.cpuMs;
    if (result.failure === null) return null;
    const { seed } = result.failure;
    const history = await plain.generate(seed, profile);
    const shown = await shownBy(plain, history, fault);
    if (shown.length === 0) return { history, foundAfter: seed, cpuMs };
    from = seed + 1;
  }
  return null;
};

type PlantedPlan = Readonly<{
  /** Names of the faults; empty: all. */
  names: readonly string[];
  histories: number;
  cores: number;
  /** Keeps the history that finds a fault for the test. */
  isKept: boolean;
}>;

const row = (cells: readonly (string | number)[]): string =>
  cells
    .map((cell, at) => (at === 0 ? String(cell).padEnd(28) : String(cell).padStart(9)))
    .join(' ');

/** Reports of each planted fault how many histories found it; 0: all were found. */
export const runPlanted = async (plan: PlantedPlan): Promise<number> => {
  const { names, histories, cores, isKept } = plan;
  const chosen = names.length === 0 ? faults : faults.filter(({ name }) => names.includes(name));
  const plain = openSimulator(await bundleWithFaults([]));
  const missed: string[] = [];
  console.log(row(['fault', 'histories', 'CPU, s']));
  for (const fault of chosen) {
    const path = await bundleWithFaults([fault.name]);
    const faulty = Array.from({ length: cores }, () => openSimulator(path));
    const found = await findPlanted({ plain, faulty }, fault, histories);
    await Promise.all(faulty.map(({ stop }) => stop()));
    if (found === null) {
      missed.push(fault.name);
      console.log(row([fault.name, 'not found']));
      continue;
    }
    console.log(row([fault.name, found.foundAfter, (found.cpuMs / 1_000).toFixed(1)]));
    if (isKept) keep(fault, found.history);
  }
  await plain.stop();
  console.log(`${chosen.length - missed.length} of ${chosen.length} faults were found`);
  return missed.length === 0 ? 0 : 1;
};
