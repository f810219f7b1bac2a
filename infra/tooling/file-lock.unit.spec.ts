import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

const module = new URL('file-lock.mjs', import.meta.url).href;
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-turns-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Writes when its work begins and when it ends. */
const script = (ending: string): string => `
  import { appendFileSync } from 'node:fs';
  import { withFileLock } from '${module}';
  const say = (word) => appendFileSync('${folder}/seen', word + ' ' + process.pid + '\\n');
  withFileLock('${folder}/locks/lock', () => {
    say('begins');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
    say('ends');
    ${ending}
  }, () => say('waits'));
`;
const start = (ending = ''): ChildProcess =>
  spawn(process.execPath, ['--input-type=module', '-e', script(ending)], { stdio: 'ignore' });
const seen = (): string[] => readFileSync(join(folder, 'seen'), 'utf8').trim().split('\n');
const ended = async (children: readonly ChildProcess[]): Promise<(number | null)[]> =>
  Promise.all(children.map(async (child) => (await once(child, 'exit'))[0]));

test('of commands that start together, one works at a time', async () => {
  expect(await ended([start(), start(), start(), start()])).toEqual([0, 0, 0, 0]);
  const work = seen().filter((line) => !line.startsWith('waits'));
  expect(work).toHaveLength(8);
  for (let turn = 0; turn < work.length; turn += 2) {
    const [, pid] = work[turn]?.split(' ') ?? [];
    expect(work.slice(turn, turn + 2)).toEqual([`begins ${pid}`, `ends ${pid}`]);
  }
  expect(existsSync(join(folder, 'locks/lock'))).toBe(false);
});

test('work that ends the process, or fails, releases the lock', async () => {
  expect(await ended([start('process.exit(3);')])).toEqual([3]);
  expect(await ended([start("throw new Error('no space');")])).toEqual([1]);
  expect(await ended([start()])).toEqual([0]);
  expect(seen().some((line) => line.startsWith('waits'))).toBe(false);
});

const { pid: ofEnded } = spawnSync(process.execPath, ['-e', '']);

test.each([
  ['that was killed', String(ofEnded)],
  ['that was killed while it took it', ''],
])('the lock of a process %s is taken over by one of those that wait', async (_, left) => {
  await ended([start()]);
  writeFileSync(join(folder, 'locks/lock'), left);
  expect(await ended([start(), start()])).toEqual([0, 0]);
  expect(seen().filter((line) => line.startsWith('ends'))).toHaveLength(3);
});
