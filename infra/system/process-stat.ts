import { readFileSync } from 'node:fs';

/** Positions in what `processStat` answers; see proc(5), whose field 3 is the first here. */
export const statFields = {
  state: 0,
  parent: 1,
  /** CPU in ticks of 10 ms; `ended`: of children that were waited for. */
  userTicks: 11,
  systemTicks: 12,
  endedUserTicks: 13,
  endedSystemTicks: 14,
  /** Ticks since the boot. */
  start: 19,
};

/**
 * The fields of Linux's `/proc/<pid>/stat` from the state on, as texts; empty where there is no such
 * file: the process is gone, or the system is another.
 */
export const processStat = (pid: number): readonly string[] => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program is in brackets and may contain spaces.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
};

/**
 * Is there a process of this number? One that has ended and was never waited for is gone: in a container it may
 * stay in the table for ever.
 */
export const isProcessAlive = (pid: number): boolean => {
  if (processStat(pid)[statFields.state] === 'Z') return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Of another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
};
