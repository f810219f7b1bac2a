import { beforeEach, describe, expect, test } from 'vitest';
import { createMemoryBus } from '../../infra/bus/memory/create-memory-bus.ts';
import type { Bus } from '../../infra/ports/bus.ts';
import { silentLogger } from '../../tests/support/silent-logger.ts';
import { type KeeperAlive, PartitionMembers } from './partition-members.ts';

let bus: Bus;
let now: number;
let changes: number;
let members: PartitionMembers;
const settled = () => new Promise((resolve) => setImmediate(resolve));

beforeEach(async () => {
  bus = createMemoryBus({ logger: silentLogger });
  now = 10_000;
  changes = 0;
  members = new PartitionMembers({
    bus,
    keeperId: 'b',
    now: () => now,
    silentMs: 4_000,
    onChange: () => {
      changes += 1;
    },
  });
  await members.start();
});

const hear = async (keeperId: string, owns: readonly number[], leaving?: true) => {
  bus.publish<KeeperAlive>('keeper.alive', {
    keeperId,
    owns,
    ...(leaving === undefined ? {} : { leaving }),
  });
  await settled();
};
/** Time passes in which this keeper receives its own heartbeats. */
const pass = async (ms: number) => {
  for (let left = ms; left > 0; left -= 1_000) {
    now += Math.min(left, 1_000);
    members.say([]);
    await settled();
  }
};

describe('a keeper', () => {
  test('is among the running ones with all that it receives, in one order', async () => {
    await hear('c', []);
    await hear('a', []);
    expect(members.living()).toEqual(['a', 'b', 'c']);
  });
  test('is dead after its time without a word', async () => {
    await pass(5_000);
    await hear('a', [1]);
    await pass(3_999);
    expect([members.isAlive('a'), members.ownerOf(1)]).toEqual([true, 'a']);
    await pass(1);
    expect([members.isAlive('a'), members.ownerOf(1)]).toEqual([false, null]);
    expect(members.living()).toEqual(['b']);
    expect(members.isAlive('b')).toBe(true);
  });
  test('that never sent anything is dead once this one has listened long enough', async () => {
    await pass(3_999);
    expect(members.isAlive('a')).toBe(true);
    await pass(1);
    expect(members.isAlive('a')).toBe(false);
  });
  test('is not taken for dead while this one does not even receive its own heartbeat', async () => {
    await pass(5_000);
    await hear('a', [1]);
    now += 4_000;
    expect(members.isAlive('a')).toBe(true);
  });
  test('has its full time again after this one could not receive', async () => {
    await pass(5_000);
    await hear('a', [1]);
    now += 4_001;
    members.say([]);
    await settled();
    await pass(3_999);
    expect(members.isAlive('a')).toBe(true);
    await pass(1);
    expect(members.isAlive('a')).toBe(false);
  });
  test('that received its own heartbeat just in time lost nothing', async () => {
    await pass(5_000);
    await hear('a', [1]);
    now += 4_000;
    members.say([]);
    await settled();
    expect(members.isAlive('a')).toBe(false);
  });
});

describe('what a keeper owns', () => {
  test('is what it published last', async () => {
    await hear('a', [1, 2]);
    await hear('c', [3]);
    expect([1, 3, 4].map((partition) => members.ownerOf(partition))).toEqual(['a', 'c', null]);
    await hear('a', [2]);
    expect(members.ownerOf(1)).toBeNull();
  });
  test('is nothing once it has left', async () => {
    await hear('a', [1]);
    await hear('a', [], true);
    expect([members.ownerOf(1), members.living()]).toEqual([null, ['b']]);
  });
  test('is a change only where it is another', async () => {
    await hear('a', [1, 2]);
    expect(changes).toBe(1);
    await hear('a', [2, 1]);
    expect(changes).toBe(1);
    await hear('a', [1, 3]);
    expect(changes).toBe(2);
    await hear('a', [1]);
    expect(changes).toBe(3);
    await hear('a', [1, 4]);
    expect(changes).toBe(4);
    await hear('a', [1, 4], true);
    expect(changes).toBe(5);
    await hear('b', [7]);
    expect([changes, members.ownerOf(7)]).toEqual([5, null]);
  });
});

test('a keeper announces what it owns, and its leave', async () => {
  const published: KeeperAlive[] = [];
  await bus.subscribe<KeeperAlive>('keeper.alive', (each) => void published.push(each));
  members.say([1, 2]);
  members.say([], true);
  await settled();
  expect(published).toEqual([
    { keeperId: 'b', owns: [1, 2] },
    { keeperId: 'b', owns: [], leaving: true },
  ]);
});

test('a keeper that has stopped receives no more', async () => {
  await members.stop();
  await members.stop();
  await hear('a', [1]);
  expect([changes, members.living()]).toEqual([0, ['b']]);
});
