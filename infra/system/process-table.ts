import { readFileSync } from 'node:fs';
import type { ProcessTable } from '../ports/process-table.ts';
import { isProcessAlive, processStat, statFields } from './process-stat.ts';

/** Start in clock ticks and the boot of the machine, which distinguish processes of one number. */
const startOf = (pid: number): string => {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot}/${processStat(pid)[statFields.start] ?? ''}`;
  } catch {
    return '';
  }
};

export const nodeProcessTable: ProcessTable = {
  own: () => ({ pid: process.pid, startedAt: startOf(process.pid) }),
  isAlive: ({ pid, startedAt }) => isProcessAlive(pid) && startOf(pid) === startedAt,
};
