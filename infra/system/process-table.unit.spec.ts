import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { nodeProcessTable } from './process-table.ts';

const { own, isAlive } = nodeProcessTable;

test('a process exists until it ends, and another of its number is not the same', async () => {
  expect(isAlive(own())).toBe(true);
  expect(isAlive({ ...own(), startedAt: 'another boot/1' })).toBe(false);
  const child = spawn('sleep', ['60']);
  const pid = child.pid ?? 0;
  const mark = { pid, startedAt: startedAt(pid) };
  expect(isAlive(mark)).toBe(true);
  child.kill();
  await once(child, 'exit');
  expect(isAlive(mark)).toBe(false);
});

test('a process that has ended and was never waited for is gone', async () => {
  // The shell becomes a program that waits for no child of the shell's.
  const parent = spawn('sh', ['-c', 'sleep 0.2 & echo $!; exec sleep 60']);
  try {
    const [line] = await once(parent.stdout, 'data');
    const pid = Number(String(line));
    const mark = { pid, startedAt: startedAt(pid) };
    expect(isAlive(mark)).toBe(true);
    while (!hasEnded(pid)) await sleep(20);
    expect(isAlive(mark)).toBe(false);
  } finally {
    parent.kill();
  }
});

const hasEnded = (pid: number): boolean =>
  /^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));

const startedAt = (pid: number): string => {
  const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return `${boot}/${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]}`;
};
