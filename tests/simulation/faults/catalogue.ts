import { bundle } from '../campaign/bundle.ts';
import { today } from '../known-faults.ts';
import type { Profile } from '../nemesis/profile.ts';
import { violationKinds } from '../oracle/violations.ts';
import { batchFaults } from './batch-faults.ts';
import { cacheFaults } from './cache-faults.ts';
import type { Fault } from './fault.ts';
import { givingFaults } from './giving-faults.ts';
import { ledgerFaults } from './ledger-faults.ts';
import { sessionFaults } from './session-faults.ts';
import { taskFaults } from './task-faults.ts';
import { transportFaults } from './transport-faults.ts';

export const faults: readonly Fault[] = [
  ...ledgerFaults,
  ...transportFaults,
  ...givingFaults,
  ...taskFaults,
  ...batchFaults,
  ...cacheFaults,
  ...sessionFaults,
];

/** The histories that are to find it; what else they show is not reported. */
export const profileOf = ({ shows, under }: Fault): Profile => ({
  ...today,
  ...under,
  muted: violationKinds.filter((kind) => !shows.includes(kind)),
});

/** The path of a bundle with these faults. @throws when there is no such fault */
export const bundleWithFaults = (names: readonly string[]): Promise<string> => {
  const chosen = names.map((name) => {
    const fault = faults.find((candidate) => candidate.name === name);
    if (fault === undefined) throw new Error(`no fault is called ${name}`);
    return fault;
  });
  const name = names.length === 0 ? 'plain' : names.join('+');
  return bundle(
    name,
    chosen.flatMap(({ patches }) => patches),
  );
};
