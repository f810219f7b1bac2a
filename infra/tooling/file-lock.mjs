/* A lock file: commands that prepare the same folder, such as two started right after a clone, wait for each other. */
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

const lookEveryMs = 300;
const sleep = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

const isAlive = (pid) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
};

/** Process id in a lock; null where there is no lock. */
const holderOf = (lock) => {
  try {
    return Number(readFileSync(lock, 'utf8'));
  } catch (error) {
    if (error.code === 'ENOENT') return null;
    throw error;
  }
};

const isTaken = (lock) => {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' });
    return false;
  } catch (error) {
    if (error.code === 'EEXIST') return true;
    throw error;
  }
};

/** A lock whose process is gone is out of the way; of several that find it, one can move it. */
const clearStale = (lock) => {
  const holder = holderOf(lock);
  // 0: it is empty, as a process leaves it that was killed while it took the lock.
  if (holder === null || (holder !== 0 && isAlive(holder))) return;
  const moved = `${lock}.${process.pid}`;
  try {
    renameSync(lock, moved);
  } catch (error) {
    if (error.code === 'ENOENT') return;
    throw error;
  }
  // Taken, or written to, by another in between.
  if (holderOf(moved) !== holder) renameSync(moved, lock);
  else rmSync(moved);
};

/**
 * Runs `work` while no other process on this machine runs under the same lock file. `onWait` is
 * called once when another one has it, with its process id. The lock of a process that ended
 * without releasing it is taken over.
 */
export const withFileLock = (lock, work, onWait) => {
  mkdirSync(dirname(lock), { recursive: true });
  for (let waits = 0; isTaken(lock); waits += 1) {
    if (waits === 0) onWait(holderOf(lock));
    sleep(lookEveryMs);
    clearStale(lock);
  }
  const release = () => rmSync(lock, { force: true });
  // A step that fails ends the process.
  process.once('exit', release);
  try {
    work();
  } finally {
    process.off('exit', release);
    release();
  }
};
