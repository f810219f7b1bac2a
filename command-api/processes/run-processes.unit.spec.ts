import { afterEach, beforeEach, expect, test } from 'vitest';
import { createMemoryBus } from '../../infra/bus/memory/create-memory-bus.ts';
import type { Bus } from '../../infra/ports/bus.ts';
import { nodeSystem } from '../../infra/system/node-system.ts';
import {
  createMemoryEventStore,
  type MemoryEventStore,
} from '../../tests/support/memory-event-store.ts';
import { aMetadata } from '../../tests/support/metadata-examples.ts';
import { silentLogger } from '../../tests/support/silent-logger.ts';
import { type CheckpointNotice, checkpointSubject } from '../shared/visibility.ts';
import { type Checkpoints, createCheckpoints } from './checkpoints.ts';
import type { Process } from './process.ts';
import { createProcessRunner, type ProcessRunner } from './run-processes.ts';

let eventStore: MemoryEventStore;
let bus: Bus;
let runners: ProcessRunner[];
beforeEach(() => {
  eventStore = createMemoryEventStore();
  bus = createMemoryBus({ logger: silentLogger });
  runners = [];
});
afterEach(async () => {
  for (const runner of runners) await runner.stop();
  await bus.close();
});

const clock = () => new Date('2026-03-01T08:00:00.000Z');
const happen = async (type: string, data: object = {}) => {
  const nth = eventStore.all.length;
  const metadata = aMetadata({ commandId: `c${nth}` });
  const made = { event: { type, data }, eventId: `e${nth}`, metadata };
  return (await eventStore.append('thing-1', [made], 'any')).position;
};
const run = async (
  processes: readonly Process[],
  checkpoints: Checkpoints = createCheckpoints({ ...nodeSystem, eventStore, clock }),
): Promise<ProcessRunner> => {
  const runner = createProcessRunner({
    ...nodeSystem,
    eventStore,
    bus,
    logger: silentLogger,
    checkpoints,
    processes,
    observe: () => {},
    onLogReplaced: () => {},
    retryDelayMs: () => 1,
  });
  runners.push(runner);
  await runner.start();
  return runner;
};
/** Records its reactions; fails while `failures` is set. */
const recorder = (name: string, types: readonly string[], failures = { left: 0 }) => {
  const seen: string[] = [];
  const react: Process['on'][string] = async ({ event, position }) => {
    if (failures.left > 0) {
      failures.left -= 1;
      throw new Error('out of reach');
    }
    seen.push(`${event.type}@${position}`);
    return position + 1n;
  };
  const process: Process = { name, on: Object.fromEntries(types.map((type) => [type, react])) };
  return { process, seen };
};

test('a process reacts to its events in the order of the log, old and new', async () => {
  await happen('A');
  await happen('B');
  const { process, seen } = recorder('p', ['A']);
  await run([process]);
  await happen('A');
  await expect.poll(() => seen).toEqual(['A@10', 'A@30']);
});

test('after a restart a process continues where it was', async () => {
  const first = recorder('p', ['A']);
  const runner = await run([first.process]);
  await happen('A');
  await expect.poll(() => first.seen).toHaveLength(1);
  await runner.stop();
  const position = await happen('A');
  const second = recorder('p', ['A']);
  await run([second.process]);
  await expect.poll(() => second.seen).toEqual([`A@${position}`]);
});

test('the log has to contain the checkpoints from which the processes continue', async () => {
  const { process, seen } = recorder('p', ['A']);
  const runner = await run([process]);
  await happen('A');
  await expect.poll(() => seen).toHaveLength(1);
  await runner.stop();
  const asked: unknown[] = [];
  const { subscribeToAll } = eventStore;
  eventStore.subscribeToAll = (options) => {
    asked.push(options.lastRead);
    return subscribeToAll(options);
  };
  await run([recorder('p', ['A']).process]);
  const saved = eventStore.all.findLast(({ event }) => event.type === 'ProcessAdvanced');
  await expect.poll(() => asked).toEqual([{ position: saved?.position, eventId: saved?.eventId }]);
});

test('a process that was killed repeats what it may have done, and misses nothing', async () => {
  const first = recorder('p', ['A']);
  await run([first.process]);
  await happen('A');
  await expect.poll(() => first.seen).toHaveLength(1);
  // No stop: the checkpoint was never written.
  const second = recorder('p', ['A']);
  await run([second.process]);
  await expect.poll(() => second.seen).toEqual(first.seen);
});

test('a reaction that fails is repeated until it succeeds, in order', async () => {
  const { process, seen } = recorder('p', ['A'], { left: 5 });
  await run([process]);
  await happen('A');
  await happen('A');
  await expect.poll(() => seen).toEqual(['A@10', 'A@20']);
});

test('a process that hangs holds no other one up, and is reported', async () => {
  const stuck = recorder('stuck', ['A'], { left: Number.POSITIVE_INFINITY });
  const fine = recorder('fine', ['A']);
  const notices: CheckpointNotice[] = [];
  await bus.subscribe<CheckpointNotice>(checkpointSubject, (notice) => {
    notices.push(notice);
  });
  const runner = await run([stuck.process, fine.process]);
  await happen('A');
  await expect.poll(() => fine.seen).toEqual(['A@10']);
  await expect.poll(() => runner.failing()).toEqual(['stuck']);
  const last = () => notices.at(-1)?.checkpoints;
  await expect.poll(last).toMatchObject([
    { name: 'process:stuck', failed: true },
    { name: 'process:fine', position: '10', caused: '11' },
  ]);
});

test('a checkpoint passes an event only when its reaction is done', async () => {
  const stuck = recorder('stuck', ['A'], { left: Number.POSITIVE_INFINITY });
  const runner = await run([stuck.process]);
  await happen('B');
  await happen('A');
  await expect.poll(() => runner.failing()).toEqual(['stuck']);
  await runner.stop();
  const after = recorder('stuck', ['A']);
  await run([after.process]);
  await expect.poll(() => after.seen).toEqual(['A@20']);
});

test('the checkpoints of all processes go to the log together', async () => {
  const waiting: (() => void)[] = [];
  const save = (): Promise<void> =>
    new Promise((resolve) => {
      waiting.push(resolve);
    });
  const processes = [recorder('p', ['A']), recorder('q', ['A'])];
  const runner = await run(
    processes.map(({ process }) => process),
    { load: async () => null, save },
  );
  await happen('A');
  await expect.poll(() => processes.map(({ seen }) => seen.length)).toEqual([1, 1]);
  const stopped = runner.stop();
  await expect.poll(() => waiting.length).toBe(2);
  for (const resolve of waiting) resolve();
  await stopped;
});

test('a runner is live once it has reached the head of the log', async () => {
  await happen('A');
  const runner = await run([recorder('p', ['A']).process]);
  await expect.poll(() => runner.isLive()).toBe(true);
});

test('a checkpoint that is ahead of a restored log is not trusted', async () => {
  const checkpoints = createCheckpoints({ ...nodeSystem, eventStore, clock });
  await happen('A');
  await checkpoints.save('p', 4_000n);
  const { process, seen } = recorder('p', ['A']);
  await run([process]);
  await expect.poll(() => seen).toEqual(['A@10']);
});
