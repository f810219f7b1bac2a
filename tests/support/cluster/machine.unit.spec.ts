import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createMachine, type Machine } from './machine.ts';

const hourMs = 3_600_000;
let directory: string;
let machine: Machine;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'tollgate-machine-'));
  machine = createMachine(directory, 'relay-1');
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const run = (program: string): unknown => {
  const args = ['--input-type=module', '--eval', program, join(directory, 'file')];
  const output = execFileSync(process.execPath, args, {
    env: { ...process.env, ...machine.env },
    encoding: 'utf8',
  });
  return JSON.parse(output);
};

test('a shifted clock shows in dates alone', () => {
  const program = `
    const dates = [Date.now(), new Date().getTime(), Date.parse(Date())];
    const given = new Date('2026-03-01T08:00:00.000Z');
    console.log(JSON.stringify({
      dates: dates.map((ms) => ms - performance.timeOrigin),
      given: [given.toISOString(), given instanceof Date],
      monotonic: performance.now(),
    }));`;
  machine.shiftClock(-5 * hourMs);
  const { dates, given, monotonic } = run(program) as {
    dates: number[];
    given: unknown[];
    monotonic: number;
  };
  for (const ms of dates) expect(Math.round(ms / hourMs)).toBe(-5);
  expect(given).toEqual(['2026-03-01T08:00:00.000Z', true]);
  expect(monotonic).toBeLessThan(hourMs);
});

test('on a full disk what is there can be written over, and no file grows', () => {
  const program = `
    import { openSync, writeSync, writevSync } from 'node:fs';
    const file = openSync(process.argv[1], 'w+');
    const attempt = (write) => {
      try { return write(); } catch ({ code }) { return code; }
    };
    console.log(JSON.stringify([
      attempt(() => writeSync(file, Buffer.alloc(8), 0, 8, 0)),
      attempt(() => writevSync(file, [Buffer.alloc(4), Buffer.alloc(4)], 0)),
    ]));`;
  expect(run(program)).toEqual([8, 8]);
  machine.fillDisk();
  expect(run(program.replace("'w+'", "'r+'"))).toEqual([8, 8]);
  expect(run(program)).toEqual(['ENOSPC', 'ENOSPC']);
});
