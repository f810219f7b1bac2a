import { afterEach, expect, test } from 'vitest';
import { silentLogger } from '../../tests/support/silent-logger.ts';
import { createMetrics } from '../metrics/create-metrics.ts';
import type { Workers } from '../ports/workers.ts';
import { entryPath } from '../processes/entry-paths.ts';
import { createWorkers, type WorkersSettings } from './create-workers.ts';

let workers: Workers | null = null;
const open = (settings: Partial<WorkersSettings> = {}): Workers => {
  workers = createWorkers({
    filename: entryPath('tests/support/workers-entry'),
    logger: silentLogger,
    metrics: createMetrics({ process: 'test' }),
    ...settings,
  });
  return workers;
};
afterEach(async () => {
  await workers?.close();
  workers = null;
});

const small = { owner: 'ada', bytes: 100 };
const large = { owner: 'ada', bytes: 1_000_000 };

test('a job is done on another thread', async () => {
  expect(await open().run('double', { value: 21 }, small)).toEqual({ kind: 'done', value: 42 });
});

test('what a job throws is thrown here', async () => {
  await expect(open().run('fail', { message: 'too far' }, small)).rejects.toThrow('too far');
});

test('a job whose thread ends is done again by another', async () => {
  const shared = new Int32Array(new SharedArrayBuffer(4));
  expect(await open().run('endOnce', { shared }, large)).toEqual({ kind: 'done', value: 'done' });
  expect(shared[0]).toBe(2);
});

test('a job that ends every thread fails, and the next one is done', async () => {
  const own = open();
  await expect(own.run('endAlways', {}, large)).rejects.toThrow();
  expect(await own.run('double', { value: 1 }, large)).toEqual({ kind: 'done', value: 2 });
});

test('a job that takes too long is broken off', async () => {
  const own = open({ timeoutMs: 1_500 });
  const late = await own.run('spin', { ms: 60_000 }, large);
  expect(late).toEqual({ kind: 'refused', reason: 'timeout' });
  // A replacement thread may take long to load on a busy machine, which is not what is tested here.
  const patient = { ...large, isWaiting: () => true };
  expect(await own.run('double', { value: 1 }, patient)).toEqual({ kind: 'done', value: 2 });
});

test('time does not run while a job waits for something outside', async () => {
  const own = open({ timeoutMs: 1_000 });
  const options = { ...large, isWaiting: () => true };
  expect(await own.run('wait', { ms: 2_500 }, options)).toEqual({ kind: 'done', value: 'waited' });
});

test('a job that takes too much memory is refused', async () => {
  expect(await open().run('fill', {}, small)).toEqual({ kind: 'refused', reason: 'memory' });
});

test('a full queue refuses, and one caller gets no more than its share', async () => {
  const own = open({ maxJobs: 3, maxJobsOfOwner: 2, threads: 1 });
  const first = [1, 2].map(() => own.run('wait', { ms: 500 }, large));
  expect(await own.run('wait', { ms: 1 }, large)).toEqual({
    kind: 'refused',
    reason: 'owner-share',
  });
  const other = own.run('wait', { ms: 1 }, { ...large, owner: 'bob' });
  expect(await own.run('wait', { ms: 1 }, { ...large, owner: 'eve' })).toEqual({
    kind: 'refused',
    reason: 'queue-full',
  });
  const owed = own.run('double', { value: 2 }, { ...large, owner: 'eve', isOwed: true });
  expect(await owed).toEqual({ kind: 'done', value: 4 });
  for (const job of [...first, other]) expect(await job).toMatchObject({ kind: 'done' });
});

test('a caller with many large jobs at a time waits for them and is not refused', async () => {
  const own = open({ threads: 1 });
  const jobs = Array.from({ length: 64 }, (_, value) => own.run('double', { value }, large));
  const doubled = Array.from({ length: 64 }, (_, value) => ({ kind: 'done', value: 2 * value }));
  expect(await Promise.all(jobs)).toEqual(doubled);
});

test('no caller takes all of the memory that large bodies may take', async () => {
  const own = open({ threads: 1 });
  const body = { ...large, bytes: 67_108_864 };
  const jobs = [1, 2, 3].map(() => own.run('wait', { ms: 300 }, body));
  expect(await own.run('wait', { ms: 1 }, body)).toEqual({
    kind: 'refused',
    reason: 'owner-share',
  });
  jobs.push(own.run('wait', { ms: 1 }, { ...body, owner: 'bob' }));
  for (const job of jobs) expect(await job).toMatchObject({ kind: 'done' });
});

test('callers take turns: one with many jobs does not hold up one with few', async () => {
  const own = open({ threads: 1 });
  const done: string[] = [];
  const run = async (owner: string): Promise<void> => {
    await own.run('wait', { ms: 20 }, { ...large, owner });
    done.push(owner);
  };
  const jobs = [...Array<string>(12).fill('ada'), 'bob', 'eve', 'bob'].map(run);
  await Promise.all(jobs);
  // Two begin at once; of those that wait, ada's, bob's and eve's take turns.
  expect(done.slice(0, 2)).toEqual(['ada', 'ada']);
  expect(done.slice(2, 7).toSorted()).toEqual(['ada', 'ada', 'bob', 'bob', 'eve']);
});

test('a job that waits too long for its turn is broken off', async () => {
  const own = open({ threads: 1, timeoutMs: 1_500 });
  const outside = { ...large, isWaiting: () => true };
  const busy = [1, 2].map(() => own.run('wait', { ms: 4_000 }, outside));
  const late = [1, 2].map((value) => own.run('double', { value }, large));
  for (const job of late) expect(await job).toEqual({ kind: 'refused', reason: 'timeout' });
  for (const job of busy) expect(await job).toMatchObject({ kind: 'done' });
});

test('a small job does not wait behind large ones', async () => {
  const own = open({ threads: 1 });
  await own.run('double', { value: 1 }, small);
  const busy = own.run('spin', { ms: 3_000 }, large);
  const before = performance.now();
  expect(await own.run('double', { value: 4 }, small)).toEqual({ kind: 'done', value: 8 });
  expect(performance.now() - before).toBeLessThan(2_000);
  await busy;
});
