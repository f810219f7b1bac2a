import { execFileSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { treeOf } from '../../tests/support/processes.ts';

const bind = (pid: number, cores: string): void => {
  execFileSync('taskset', ['-a', '-c', '-p', cores, String(pid)], { stdio: 'ignore' });
};

/**
 * Gives the first core to these processes, one of which works at a time, and the other cores to
 * everything else that the benchmark runs: how much CPU a gateway takes then says little about what
 * else is busy. False where there is one core only, or no `taskset`.
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
