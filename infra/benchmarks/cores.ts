import { execFileSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { treeOf } from '../../tests/support/processes.ts';

const bind = (pid: number, cores: string): void => {
  execFileSync('taskset', ['-a', '-c', '-p', cores, String(pid)], { stdio: 'ignore' });
};

/**
 * Gives the first core to these processes, one of which works at a time, and the other cores to everything else that the
 * benchmark runs, so that the CPU of a gateway depends little on other work. False with one core only, or without `taskset`.
 */
export const setApart = (pids: readonly number[]): boolean => {
  const last = availableParallelism() - 1;
  if (last < 1) return false;
  try {
    for (const pid of treeOf(process.pid)) if (!pids.includes(pid)) bind(pid, `1-${last}`);
    for (const pid of pids) bind(pid, '0');
    return true;
  } catch {
    return false;
  }
};
