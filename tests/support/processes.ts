import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { processStat, statFields } from '../../infra/system/process-stat.ts';

/** Parent pid of a process; null when it is gone. */
const parentOf = (pid: number): number | null => {
  const parent = processStat(pid)[statFields.parent];
  return parent === undefined ? null : Number(parent);
};

/** The process and all that descend from it, the root first. */
export const treeOf = (root: number): number[] => {
  const children = new Map<number, number[]>();
  for (const name of readdirSync('/proc')) {
    const pid = Number(name);
    if (!Number.isInteger(pid)) continue;
    const parent = parentOf(pid);
    if (parent !== null) children.set(parent, [...(children.get(parent) ?? []), pid]);
  }
  const below = (pid: number): number[] => [pid, ...(children.get(pid) ?? []).flatMap(below)];
  return below(root);
};

/** `kill -9` of a whole process tree at one moment, PostgreSQL included. */
export const killTree = (root: number): number[] => {
  const pids = treeOf(root);
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // Gone already.
    }
  }
  return pids;
};

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
};

/** Resolves when none of them runs any more. */
export const untilGone = async (pids: readonly number[]): Promise<void> => {
  while (pids.some(isAlive)) await sleep(20);
};

/** Microseconds of CPU that a process has used so far (user and system); NaN when it is gone. */
export const cpuMicros = (pid: number): number => {
  const fields = processStat(pid);
  const ticks = Number(fields[statFields.userTicks]) + Number(fields[statFields.systemTicks]);
  const ticksPerSecond = 100;
  return (ticks * 1_000_000) / ticksPerSecond;
};

/** Inodes of the sockets that a process holds. */
const socketsOf = (pid: number): string[] => {
  try {
    return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
      try {
        return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1] ?? [];
      } catch {
        return [];
      }
    });
  } catch {
    return [];
  }
};

const rowsOf = (table: string): string[][] =>
  readFileSync(`/proc/net/${table}`, 'utf8')
    .split('\n')
    .slice(1)
    .map((line) => line.trim().split(/\s+/));

/** State of a listening socket in /proc/net/tcp. */
const listening = '0A';

/** Where the processes of a tree listen: TCP ports, and paths of unix sockets. */
export const listenersOf = (root: number): Readonly<{ ports: number[]; sockets: string[] }> => {
  const inodes = new Set(treeOf(root).flatMap(socketsOf));
  const ports = [...rowsOf('tcp'), ...rowsOf('tcp6')]
    .filter(([, , , state, , , , , , inode]) => state === listening && inodes.has(inode ?? ''))
    .map(([, local = '']) => Number.parseInt(local.slice(local.lastIndexOf(':') + 1), 16));
  const sockets = rowsOf('unix')
    .filter(([, , , , , , inode, path]) => path?.startsWith('/') && inodes.has(inode ?? ''))
    .map((row) => row[7] ?? '');
  return { ports: [...new Set(ports)], sockets: [...new Set(sockets)] };
};
