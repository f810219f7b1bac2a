import { readFileSync } from 'node:fs';
import { treeOf } from '../../tests/support/processes.ts';
import { cpuMicros } from './cpu.ts';

/** What the CPU and the memory of the product's processes are summed up by. */
export type TreePart = string;

const commandOf = (pid: number): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
  } catch {
    return '';
  }
};

const partOfCommand = (command: string): TreePart => {
  const backend = /^postgres: \S+ (\S+) \[local\]/.exec(command)?.[1];
  if (backend === 'event_store') return 'PostgreSQL (event store)';
  if (backend !== undefined) return 'PostgreSQL (read models)';
  if (/postgres/.test(command)) return 'PostgreSQL (background)';
  if (/event-store\/main/.test(command)) return 'event-store node';
  if (/processes\/control/.test(command)) return 'control process';
  return 'relay process';
};

const proportionalKb = (pid: number): number => {
  try {
    const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
    return Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0);
  } catch {
    return 0;
  }
};

type Used = Readonly<{ part: TreePart; micros: number }>;

/** CPU so far of each process below `root`; the name of a part is known while the process runs. */
export const usageOf = (root: number): ReadonlyMap<number, Used> => {
  const used = new Map<number, Used>();
  for (const pid of treeOf(root)) {
    try {
      used.set(pid, { part: partOfCommand(commandOf(pid)), micros: cpuMicros(pid) });
    } catch {
      // It ended a moment ago.
    }
  }
  return used;
};

/** Microseconds of each part between two looks. */
export const spentByPart = (
  before: ReadonlyMap<number, Used>,
  after: ReadonlyMap<number, Used>,
): Record<TreePart, number> => {
  const spent: Record<TreePart, number> = {};
  for (const [pid, { part, micros }] of after) {
    spent[part] = (spent[part] ?? 0) + micros - (before.get(pid)?.micros ?? 0);
  }
  return spent;
};

/** Resident megabytes of each part; what processes share counts once. */
export const residentMbByPart = (root: number): Record<TreePart, number> => {
  const resident: Record<TreePart, number> = {};
  for (const pid of treeOf(root)) {
    const part = partOfCommand(commandOf(pid));
    resident[part] = (resident[part] ?? 0) + proportionalKb(pid) / 1_024;
  }
  return resident;
};

/** Of the whole tree. */
export const residentMb = (root: number): number =>
  Object.values(residentMbByPart(root)).reduce((sum, mb) => sum + mb, 0);
