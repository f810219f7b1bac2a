import { beforeEach, expect, test } from 'vitest';
import type { Recorded } from '../../domain/shared/event.ts';
import type { Timer, Timers } from '../../infra/ports/timers.ts';
import { silentLogger } from '../../tests/support/silent-logger.ts';
import type { RowStore } from './row-store.ts';
import { createTicks, type Ticks } from './tick.ts';
import type { Worker } from './worker.ts';

let now: number;
let due: { at: number; task: () => void }[];
let taken: { at: number; positions: readonly bigint[] }[];
let ticks: Ticks;

const timers = {
  now: () => now,
  setTimeout: (task: () => void, ms: number) => {
    const entry = { at: now + ms, task };
    due.push(entry);
    return entry as unknown as Timer;
  },
  setImmediate: (task: () => void) => void due.push({ at: now, task }),
  clear: (timer: Timer | null) => {
    due = due.filter((entry) => (entry as unknown) !== timer);
  },
} as Timers;
/** Takes what it is offered by itself, so that no database is needed. */
const worker = {
  join: () => null,
  offer: (events: readonly Recorded[]) =>
    taken.push({ at: now, positions: events.map(({ position }) => position) }),
} as unknown as Worker;

beforeEach(() => {
  now = 10_000;
  due = [];
  taken = [];
  const onProgress = () => undefined;
  const rows = {} as RowStore;
  ticks = createTicks({ rows, workers: [worker], timers, logger: silentLogger, onProgress });
});

const happened = (position: bigint, type = 'RequestCharged') =>
  ({ position, eventId: `e-${position}`, event: { type, data: {} }, metadata: {} }) as Recorded;

/** Lets time go by, and what is due in it happen in its order. */
const wait = async (ms: number): Promise<void> => {
  const end = now + ms;
  for (;;) {
    await new Promise((resolve) => setImmediate(resolve));
    const [next] = due.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
    if (next === undefined) break;
    due = due.filter((entry) => entry !== next);
    now = Math.max(now, next.at);
    next.task();
  }
  now = end;
};

test('a charge after a quiet moment goes at once, those after it together', async () => {
  ticks.push([happened(1n)]);
  await wait(10);
  ticks.push([happened(2n)]);
  await wait(90);
  ticks.push([happened(3n), happened(4n)]);
  await wait(2_000);
  ticks.push([happened(5n)]);
  await wait(0);
  expect(taken).toEqual([
    { at: 10_000, positions: [1n] },
    { at: 10_750, positions: [2n, 3n, 4n] },
    { at: 12_100, positions: [5n] },
  ]);
});

test('a hundred charges go a quarter of a second after those before them', async () => {
  ticks.push([happened(1n)]);
  await wait(10);
  for (let nth = 2; nth <= 100; nth += 1) ticks.push([happened(BigInt(nth))]);
  await wait(90);
  ticks.push([happened(101n)]);
  await wait(1_000);
  expect(taken.map(({ at, positions }) => [at, positions.length])).toEqual([
    [10_000, 1],
    [10_250, 100],
  ]);
});

test('what a caller may wait for ends the tick, and takes along what gathered', async () => {
  ticks.push([happened(1n)]);
  await wait(10);
  ticks.push([happened(2n)]);
  await wait(10);
  ticks.push([happened(3n, 'TokenCreated')]);
  await wait(10);
  ticks.push([happened(4n, 'UserDisabled')]);
  await wait(0);
  expect(taken).toEqual([
    { at: 10_000, positions: [1n] },
    { at: 10_020, positions: [2n, 3n] },
    { at: 10_030, positions: [4n] },
  ]);
});

test('a caller who waits for a charge, or for what was appended along with it, ends the tick', async () => {
  ticks.push([happened(1n)]);
  await wait(10);
  ticks.push([happened(2n)]);
  await wait(10);
  ticks.awaited(3n);
  await wait(10);
  ticks.push([happened(3n)]);
  await wait(10);
  ticks.push([happened(4n)]);
  await wait(1_000);
  expect(taken).toEqual([
    { at: 10_000, positions: [1n] },
    { at: 10_020, positions: [2n] },
    { at: 10_030, positions: [3n] },
    { at: 10_780, positions: [4n] },
  ]);
});

test('a burst does not wait for the end of its tick', async () => {
  ticks.push([happened(1n)]);
  await wait(10);
  ticks.push(Array.from({ length: 2_000 }, (_, i) => happened(BigInt(i + 2))));
  await wait(0);
  expect(taken.map(({ positions }) => positions.length)).toEqual([1, 2_000]);
});

test('nothing begins after a stop', async () => {
  ticks.push([happened(1n)]);
  await ticks.stop();
  await wait(1_000);
  expect(taken).toEqual([]);
});
