import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What a test may do to the machine of one process: its wall clock and its disk. */
export type Machine = Readonly<{
  /** Environment of the process. */
  env: Readonly<Record<string, string>>;
  /** By how much the wall clock is wrong; 0: right again. */
  shiftClock: (ms: number) => void;
  fillDisk: () => void;
  freeDisk: () => void;
}>;

const preload = new URL('./fault-preload.mjs', import.meta.url).pathname;

/** Takes effect within some 50 ms, and outlives the process. */
export const createMachine = (directory: string, name: string): Machine => {
  const path = join(directory, `${name}.faults.json`);
  const control = { shiftMs: 0, isDiskFull: false };
  const write = (change: Partial<typeof control>): void => {
    Object.assign(control, change);
    writeFileSync(`${path}.new`, JSON.stringify(control));
    renameSync(`${path}.new`, path);
  };
  write({});
  return {
    env: { NODE_OPTIONS: `--import ${preload}`, FAULT_CONTROL: path },
    shiftClock: (shiftMs) => write({ shiftMs }),
    fillDisk: () => write({ isDiskFull: true }),
    freeDisk: () => write({ isDiskFull: false }),
  };
};
