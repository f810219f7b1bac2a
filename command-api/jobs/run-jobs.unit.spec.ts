import { beforeEach, expect, test } from 'vitest';
import { createMemoryBus } from '../../infra/bus/memory/create-memory-bus.ts';
import type { Bus } from '../../infra/ports/bus.ts';
import { silentLogger } from '../../tests/support/silent-logger.ts';
import { VirtualTimers } from '../../tests/support/virtual-timers.ts';
import { every, type Job, type JobRun } from './job.ts';
import { createJobRunner, type JobRunner } from './run-jobs.ts';

const minute = 60_000;

let nowMs: number;
let bus: Bus;
let timers: VirtualTimers;

beforeEach(() => {
  nowMs = Date.UTC(2026, 0, 1);
  timers = new VirtualTimers();
  bus = createMemoryBus({ logger: silentLogger, clock: () => new Date(nowMs) });
});

const aRunner = (...jobs: Job[]): JobRunner => {
  const clock = () => new Date(nowMs);
  const runner = createJobRunner({ bus, clock, timers, logger: silentLogger });
  runner.add(jobs);
  return runner;
};

const counted = (everyMs: number | null = minute) => {
  const runs: JobRun[] = [];
  const job: Job = {
    name: 'count',
    everyMs: every(everyMs),
    run: async (run) => {
      runs.push(run);
      return { counted: runs.length };
    },
  };
  return { job, runs };
};

/** A job that ends when it is aborted. */
const held = () => {
  let begun = (): void => undefined;
  let finish = (): void => undefined;
  const hasBegun = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const end = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const job: Job = {
    name: 'hold',
    everyMs: every(minute),
    run: async ({ signal }) => {
      begun();
      await Promise.race([
        end,
        new Promise((resolve) => signal.addEventListener('abort', resolve)),
      ]);
      return { held: 1 };
    },
  };
  return { job, hasBegun, finish };
};

const statusOf = async (runner: JobRunner) => {
  const [status] = await runner.list();
  if (!status) throw new Error('the runner has no job');
  return status;
};

test('a job runs when its time has been reached, and not before', async () => {
  const { job, runs } = counted();
  const runner = aRunner(job);
  await runner.lookThrough();
  expect(runs).toHaveLength(0);
  nowMs += minute;
  await runner.lookThrough();
  await runner.lookThrough();
  expect(runs).toHaveLength(1);
  nowMs += minute;
  await runner.lookThrough();
  expect(runs).toHaveLength(2);
  const { runs: written, nextAt } = await statusOf(runner);
  expect(written.map(({ figures }) => figures)).toEqual([{ counted: 2 }, { counted: 1 }]);
  expect(nextAt).toBe(new Date(nowMs + minute).toISOString());
});

test('a start of a clock that was hours ahead holds a job up no longer than its pace', async () => {
  const { job, runs } = counted();
  nowMs += 3 * 60 * minute;
  await aRunner(job).runNow('count', 1);
  expect(runs).toHaveLength(1);
  nowMs -= 3 * 60 * minute;
  const runner = aRunner(job);
  await runner.lookThrough();
  await timers.advance(minute - 1);
  await runner.lookThrough();
  expect(runs).toHaveLength(1);
  await timers.advance(1);
  await runner.lookThrough();
  expect(runs).toHaveLength(2);
});

test('of many processes one runs the job', async () => {
  const { job, runs } = counted();
  const runners = [aRunner(job), aRunner(job), aRunner(job)];
  nowMs += minute;
  await Promise.all(runners.map((runner) => runner.lookThrough()));
  expect(runs).toHaveLength(1);
});

test('while a job runs, it is started by no other, neither here nor elsewhere', async () => {
  const { job, hasBegun, finish } = held();
  const here = aRunner(job);
  const elsewhere = aRunner(job);
  expect(await here.runNow('hold', 7)).toBe('started');
  await hasBegun;
  expect(await here.runNow('hold', 7)).toBe('running');
  expect(await elsewhere.runNow('hold', 7)).toBe('running');
  expect((await statusOf(elsewhere)).running?.askedBy).toBe(7);
  finish();
  await expect.poll(async () => (await statusOf(elsewhere)).running).toBeNull();
  expect((await statusOf(elsewhere)).runs[0]).toMatchObject({ outcome: 'done', askedBy: 7 });
});

test('a manual job never starts by itself', async () => {
  const { job, runs } = counted(null);
  const runner = aRunner(job);
  nowMs += 1_000 * minute;
  await runner.lookThrough();
  expect(runs).toHaveLength(0);
  expect((await statusOf(runner)).nextAt).toBeNull();
  expect(await runner.runNow('count', 1)).toBe('started');
  await expect.poll(() => runs.length).toBe(1);
  expect(runs[0]?.isByHand).toBe(true);
  expect(await runner.runNow('nothing', 1)).toBe('unknown');
});

test('a job that is enabled while the process runs starts within seconds, though it is seldom checked', async () => {
  const { job, runs } = counted();
  let everyMs: number | null = null;
  let asked = 0;
  const runner = aRunner({
    ...job,
    everyMs: async () => {
      asked += 1;
      return everyMs;
    },
  });
  nowMs += minute;
  await runner.lookThrough();
  everyMs = minute;
  for (let second = 1; second < 15; second += 1) {
    await timers.advance(1_000);
    await runner.lookThrough();
  }
  expect(asked).toBe(1);
  expect(runs).toHaveLength(0);
  await timers.advance(1_000);
  await runner.lookThrough();
  expect(runs).toHaveLength(1);
});

test('a failed run reports why, and the job is tried again', async () => {
  let tries = 0;
  const job: Job = {
    name: 'fail',
    everyMs: every(minute),
    run: async () => {
      tries += 1;
      if (tries === 1) throw new Error('the provider is away');
      return {};
    },
  };
  const runner = aRunner(job);
  nowMs += minute;
  await runner.lookThrough();
  expect((await statusOf(runner)).runs[0]).toMatchObject({
    outcome: 'failed',
    error: 'Error: the provider is away',
  });
  nowMs += minute;
  await runner.lookThrough();
  expect((await statusOf(runner)).runs[0]?.outcome).toBe('done');
});

test('a run whose process died is reported as lost, and the job continues elsewhere', async () => {
  const { job, hasBegun } = held();
  await aRunner(job).runNow('hold', 1);
  await hasBegun;
  nowMs += 2 * minute;
  const { job: next, finish } = held();
  const elsewhere = aRunner(next);
  finish();
  await elsewhere.lookThrough();
  expect((await statusOf(elsewhere)).runs.map(({ outcome }) => outcome)).toEqual(['done', 'lost']);
});

test('a process that stops ends its runs', async () => {
  const { job, hasBegun } = held();
  const runner = aRunner(job);
  await runner.runNow('hold', 1);
  await hasBegun;
  await runner.stop();
  expect((await statusOf(runner)).runs[0]).toMatchObject({ outcome: 'stopped' });
});

test('of idle runs only the newest is kept, of others the last twenty', async () => {
  let figures: Readonly<Record<string, number>> = { done: 1 };
  const job: Job = { name: 'often', everyMs: every(minute), run: async () => figures };
  const runner = aRunner(job);
  const runTimes = async (times: number): Promise<void> => {
    for (let nth = 0; nth < times; nth += 1) {
      nowMs += minute;
      await runner.lookThrough();
    }
  };
  await runTimes(2);
  figures = {};
  await runTimes(5);
  expect((await statusOf(runner)).runs.map((run) => run.figures)).toEqual([
    {},
    { done: 1 },
    { done: 1 },
  ]);
  figures = { done: 2 };
  await runTimes(25);
  expect((await statusOf(runner)).runs).toHaveLength(20);
});
