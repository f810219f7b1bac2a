import type { Disturbance } from './nemesis.ts';
import type { Evidence } from './oracle/calls.ts';
import { isQuotaRefusal } from './oracle/refusals.ts';

const countBy = (names: readonly string[]): readonly (readonly [string, number])[] => {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].sort(([a], [b]) => a.localeCompare(b));
};

/** What a run was, in lines of a name and a number. */
export const tableOf = (
  { seen, served, accounts, failed }: Evidence,
  disturbances: readonly Disturbance[],
): readonly (readonly [string, number])[] => {
  const sums = [...accounts.values()];
  const total = (count: (sum: (typeof sums)[number]) => number): number =>
    sums.reduce((all, sum) => all + count(sum), 0);
  const list = [...served.values()];
  const refusals = seen.filter(({ status }) => status !== null && status !== 200);
  return [
    ['requests', seen.length],
    ['served', list.length],
    ...countBy(list.map(({ state }) => `served, ${state}`)),
    ['complete at the client', seen.filter(({ complete }) => complete).length],
    ['no answer at the client', seen.filter(({ status }) => status === null).length],
    ['charged', total(({ charges }) => charges.length)],
    ['failed, not charged', failed.size],
    ['given up', total(({ abandoned }) => abandoned.length)],
    ['charged after it was given up', total(({ lateCharges }) => lateCharges)],
    ['refused for quota', refusals.filter(isQuotaRefusal).length],
    ...countBy(refusals.map(({ status, code }) => `refused, ${status} ${code}`)),
    ['portions added', total(({ adjustments }) => adjustments.length)],
    ['overdraft, units', Math.max(0, ...sums.map(({ overdraft }) => overdraft.below))],
    [
      'overdraft, not explained',
      Math.max(0, ...sums.map(({ overdraft }) => overdraft.unexplained)),
    ],
    ['faults', disturbances.length],
    ...countBy(disturbances.map(({ kind }) => `fault: ${kind}`)),
  ];
};

export const printTable = (rows: readonly (readonly [string, number])[]): void => {
  const width = Math.max(...rows.map(([name]) => name.length));
  console.log(rows.map(([name, count]) => `${name.padEnd(width)} ${count}`).join('\n'));
};
