import { readFileSync } from 'node:fs';
import { treeOf } from '../../tests/support/processes.ts';
import { cpuMicros, familyOf } from './cpu.ts';

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
  if (/benchmarks\/bare-proxy/.test(command)) return 'bare proxy';
  if (/benchmarks\//.test(command)) return 'benchmark';
  const backend = /^postgres: \S+ (\S+) \[local\]/.exec(command)?.[1];
  if (backend === 'event_store') return 'PostgreSQL (event store)';
  if (backend !== undefined) return 'PostgreSQL (read models)';
  if (/postgres/.test(command)) return 'PostgreSQL (background)';
  if (/processes\/control/.test(command)) return 'control process';
  return 'relay process';
};

/** Which part of the tree a process is, by its command line. */
export const partOf = (pid: number): TreePart => partOfCommand(commandOf(pid));

/** Its share of what processes have in common, and what it has alone. */
const proportionalKb = (pid: number, isOther: boolean): number => {
  try {
    const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
    const kbOf = (name: string): number =>
      Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(rollup)?.[1] ?? 0);
    return kbOf('Pss') - (isOther ? kbOf('Pss_Anon') : 0);
  } catch {
    return 0;
  }
};

/** Microseconds; `ofEnded`: of its children that have ended. */
type Used = Readonly<{ part: TreePart; parent: number; micros: number; ofEnded: number }>;

/**
 * CPU so far of each process below `root`; the name of a part can be read while the process runs.
 */
export const usageOf = (root: number, others: ReadonlySet<number>): ReadonlyMap<number, Used> => {
  const used = new Map<number, Used>();
  for (const pid of treeOf(root)) {
    if (others.has(pid)) continue;
    try {
      const { parent, ofEnded } = familyOf(pid);
      used.set(pid, {
        part: partOf(pid),
        parent,
        micros: cpuMicros(pid),
        ofEnded,
      });
    } catch {
      // It ended a moment ago.
    }
  }
  return used;
};

/**
 * Microseconds of each part between two readings. Short-lived processes count for the part that
 * started them.
 */
export const spentByPart = (
  before: ReadonlyMap<number, Used>,
  after: ReadonlyMap<number, Used>,
): Record<TreePart, number> => {
  const spent: Record<TreePart, number> = {};
  const add = (part: TreePart, micros: number): void => {
    spent[part] = (spent[part] ?? 0) + micros;
  };
  for (const [pid, { part, micros, ofEnded }] of after) {
    const earlier = before.get(pid);
    add(part, micros - (earlier?.micros ?? 0));
    add(part, ofEnded - (earlier?.ofEnded ?? 0));
  }
  for (const [pid, { parent, micros }] of before) {
    const part = after.get(parent)?.part;
    if (!after.has(pid) && part !== undefined) add(part, -micros);
  }
  return spent;
};

/** Resident megabytes of the tree; what processes share counts once, and what `others` have alone does not. */
export const residentMb = (root: number, others: ReadonlySet<number>): number =>
  treeOf(root).reduce((sum, pid) => sum + proportionalKb(pid, others.has(pid)), 0) / 1_024;
