import { afterEach, beforeEach, expect, test } from 'vitest';
import { accountPartitions } from '../../domain/account/messages.ts';
import { createMemoryBus } from '../../infra/bus/memory/create-memory-bus.ts';
import type { Bus } from '../../infra/ports/bus.ts';
import { nodeSystem } from '../../infra/system/node-system.ts';
import { silentLogger } from '../../tests/support/silent-logger.ts';
import { type Partitions, sharePartitions } from './partitions.ts';

type Sharer = Readonly<{ partitions: Partitions; working: Set<number>; die: () => void }>;

let bus: Bus;
let sharers: Sharer[];

beforeEach(() => {
  bus = createMemoryBus({ logger: silentLogger });
  sharers = [];
});
afterEach(async () => {
  await Promise.all(sharers.map(({ partitions }) => partitions.stop()));
  await bus.close();
});

/** A bus on which a dead process neither receives nor sends any more. */
const mortal = (): Readonly<{ line: Bus; cut: () => void }> => {
  let isCut = false;
  const gone = (): never => {
    throw new Error('this keeper is dead');
  };
  const guarded = (bucket: string, options: Readonly<{ ttlSeconds: number }>) => {
    const real = bus.keyValue(bucket, options);
    return {
      ...real,
      put: async (key: string, value: unknown) => (isCut ? gone() : real.put(key, value)),
      create: async (key: string, value: unknown) => (isCut ? gone() : real.create(key, value)),
      remove: async (key: string) => (isCut ? gone() : real.remove(key)),
    };
  };
  const line: Bus = {
    ...bus,
    keyValue: guarded,
    publish: (subject, body) => {
      if (!isCut) bus.publish(subject, body);
    },
  };
  return {
    line,
    cut: () => {
      isCut = true;
    },
  };
};

const join = async (keeperId: string): Promise<Sharer> => {
  const working = new Set<number>();
  const { line, cut } = mortal();
  const partitions = sharePartitions({
    ...nodeSystem,
    bus: line,
    logger: silentLogger,
    keeperId,
    roundMs: 5,
    silentMs: 250,
    onKeeperGone: async () => undefined,
    take: async (partition) => {
      working.add(partition);
      return async () => void working.delete(partition);
    },
  });
  const sharer: Sharer = { partitions, working, die: cut };
  sharers.push(sharer);
  await partitions.start();
  return sharer;
};

/** Every partition has one owner, and that one is at work on it. */
const expectShared = async (among: readonly Sharer[]): Promise<void> => {
  await expect
    .poll(() => among.flatMap(({ working }) => [...working]).sort((a, b) => a - b), {
      timeout: 20_000,
      interval: 5,
    })
    .toEqual(Array.from({ length: accountPartitions }, (_, i) => i));
  for (const { partitions, working } of among) {
    expect(new Set(partitions.owned())).toEqual(working);
    expect(working.size).toBeLessThanOrEqual(Math.ceil(accountPartitions / among.length));
  }
};

const untilFair = (among: readonly Sharer[]): Promise<void> =>
  expect
    .poll(() => Math.max(...among.map(({ working }) => working.size)), {
      timeout: 20_000,
      interval: 5,
    })
    .toBeLessThanOrEqual(Math.ceil(accountPartitions / among.length));

test('a keeper alone owns every partition', async () => {
  await expectShared([await join('a')]);
});

test('keepers that join get an equal part each', async () => {
  const a = await join('a');
  const b = await join('b');
  await untilFair([a, b]);
  await expectShared([a, b]);
  const c = await join('c');
  await untilFair([a, b, c]);
  await expectShared([a, b, c]);
});

test('a keeper that stops hands its part over at once', async () => {
  const a = await join('a');
  const b = await join('b');
  await untilFair([a, b]);
  await expectShared([a, b]);
  await a.partitions.stop();
  expect(a.working.size).toBe(0);
  await expectShared([b]);
});

test('the part of a keeper that dies is taken over by the others', async () => {
  const [a, b, c] = [await join('a'), await join('b'), await join('c')];
  await untilFair([a, b, c]);
  await expectShared([a, b, c]);
  a.die();
  await expectShared([b, c]);
});

test('every keeper has the owners of all partitions', async () => {
  const a = await join('a');
  const b = await join('b');
  await untilFair([a, b]);
  await expectShared([a, b]);
  await expect
    .poll(() => b.partitions.owned().every((n) => a.partitions.ownerOf(n) === 'b'), {
      timeout: 20_000,
    })
    .toBe(true);
  for (const own of a.partitions.owned()) expect(a.partitions.ownerOf(own)).toBeNull();
});
