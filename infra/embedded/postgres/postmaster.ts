import { execFile } from 'node:child_process';
import { readdir, readFile, readlink, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { isProcessAlive } from '../../system/process-stat.ts';

const run = promisify(execFile);

/** A PostgreSQL that runs on our data directory already, left over from a killed parent. */
export type Postmaster = Readonly<{ pid: number; socketDir: string }>;

const commandLine = async (pid: number): Promise<string> => {
  if (process.platform === 'linux') {
    return (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).replaceAll('\0', ' ');
  }
  return (await run('ps', ['-o', 'command=', '-p', String(pid)]).catch(() => ({ stdout: '' })))
    .stdout;
};

/**
 * Reads `postmaster.pid`. `stale`: the file names a process that is gone or is something else;
 * PostgreSQL itself would refuse to start when the number was given to another program.
 */
export const findPostmaster = async (clusterDir: string): Promise<Postmaster | 'stale' | null> => {
  const text = await readFile(join(clusterDir, 'postmaster.pid'), 'utf8').catch(() => null);
  if (text === null) return null;
  const lines = text.split('\n');
  const pid = Number.parseInt(lines[0] ?? '', 10);
  if (!Number.isInteger(pid) || !isProcessAlive(pid)) return 'stale';
  const command = await commandLine(pid);
  if (!command.includes('postgres') || !command.includes(clusterDir)) return 'stale';
  return { pid, socketDir: lines[4] ?? '' };
};

/** Ends a process and waits until it is gone. SIGINT is PostgreSQL's fast, clean shutdown. */
export const stopProcess = async (pid: number, graceMs: number): Promise<void> => {
  const signal = (name: NodeJS.Signals): void => {
    try {
      process.kill(pid, name);
    } catch {
      // Gone already.
    }
  };
  signal('SIGINT');
  const deadline = performance.now() + graceMs;
  while (isProcessAlive(pid)) {
    if (performance.now() > deadline) {
      // SIGQUIT loses nothing that was committed: the next start replays the write-ahead log.
      signal('SIGQUIT');
      return;
    }
    await sleep(10);
  }
};

const worksIn = async (pid: string, folder: string): Promise<boolean> =>
  (await readlink(`/proc/${pid}/cwd`).catch(() => '')) === folder;

/**
 * Waits until no process works in the cluster's folder: backends outlast a killed postmaster for a
 * moment, and a second engine at the same time would harm the data. Linux only; elsewhere
 * PostgreSQL's own check of shared memory is the only one.
 */
export const untilDeserted = async (clusterDir: string, patienceMs: number): Promise<void> => {
  if (process.platform !== 'linux') return;
  const folder = await realpath(clusterDir).catch(() => clusterDir);
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
    const working = await Promise.all(pids.map((pid) => worksIn(pid, folder)));
    if (!working.includes(true)) return;
    if (performance.now() > deadline) {
      throw new Error(`processes of an earlier PostgreSQL still work in ${clusterDir}`);
    }
    await sleep(50);
  }
};
