import { readdirSync, readFileSync } from 'node:fs';
import { cpuMicros as fromTicks, treeOf } from '../../tests/support/processes.ts';
import { processStat, statFields } from '../system/process-stat.ts';

const nanosOf = (pid: number, thread: string): number => {
  try {
    const stat = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8');
    return Number(stat.split(' ', 1)[0]);
  } catch {
    // The thread ended a moment ago.
    return 0;
  }
};

/**
 * Microseconds of CPU that a process has used so far, all threads together. The scheduler's own
 * account is exact to the nanosecond; the ticks that replace it where there is none are 10 ms long.
 */
export const cpuMicros = (pid: number): number => {
  let nanos = 0;
  for (const thread of readdirSync(`/proc/${pid}/task`)) nanos += nanosOf(pid, thread);
  return nanos > 0 ? nanos / 1_000 : fromTicks(pid);
};

/** As the system counts them: ticks of 10 ms. */
const microsPerTick = 10_000;

/** Its parent, and microseconds of CPU of its children that have ended; NaN when it is gone. */
export const familyOf = (pid: number): Readonly<{ parent: number; ofEnded: number }> => {
  const fields = processStat(pid);
  const { parent, endedUserTicks, endedSystemTicks } = statFields;
  const ticks = Number(fields[endedUserTicks]) + Number(fields[endedSystemTicks]);
  return { parent: Number(fields[parent]), ofEnded: ticks * microsPerTick };
};

/** CPU so far of each process below `root`, itself included; those that just ended are left out. */
export const cpuOfTree = (root: number): ReadonlyMap<number, number> => {
  const cpu = new Map<number, number>();
  for (const pid of treeOf(root)) {
    try {
      cpu.set(pid, cpuMicros(pid));
    } catch {
      // A process that came and went, as PostgreSQL's workers do.
    }
  }
  return cpu;
};

/** Microseconds between two readings of a tree. */
export const spent = (
  before: ReadonlyMap<number, number>,
  after: ReadonlyMap<number, number>,
): number => {
  let micros = 0;
  for (const [pid, now] of after) micros += now - (before.get(pid) ?? 0);
  return micros;
};
