import { execFileSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { treeOf } from '../../tests/support/processes.ts';

const bind = (pid: number, cores: string): void => {
  execFileSync('taskset', ['-a', '-c', '-p', cores, String(pid)], { stdio: 'ignore' });
};

/** Such as `0,1`: the end of `pid 7's current affinity list: 0,1`. */
const coresOf = (pid: number): string =>
  String(execFileSync('taskset', ['-c', '-p', String(pid)]))
    .split(':')
    .at(-1)
    ?.trim() ?? '';

/**
 * Gives the first core to these processes, one of which works at a time, and the other cores to
 * everything else that the benchmark runs: how much CPU a gateway takes then says little about what
 * else is busy. Answers how to take it back, for this process and what it starts from then on; null where
 * there is one core only, or no `taskset`.
 */
export const setApart = (pids: readonly number[]): (() => void) | null => {
  const last = availableParallelism() - 1;
  if (last < 1) return null;
  try {
    const before = coresOf(process.pid);
    for (const pid of treeOf(process.pid)) if (!pids.includes(pid)) bind(pid, `1-${last}`);
    for (const pid of pids) bind(pid, '0');
    return () => bind(process.pid, before);
  } catch {
    return null;
  }
};
