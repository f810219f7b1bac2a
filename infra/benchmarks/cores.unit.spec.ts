import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { setApart } from './cores.ts';

/** Cores that a program started now may run on, as the system says. */
const coresOfChild = (): number =>
  Number(execFileSync('nproc', { env: { ...process.env, OMP_NUM_THREADS: '' } }));

test('what is started after a comparison has all cores again', () => {
  const before = coresOfChild();
  const shareCores = setApart([]);
  expect(coresOfChild()).toBe(shareCores === null ? before : before - 1);
  shareCores?.();
  expect(coresOfChild()).toBe(before);
});
