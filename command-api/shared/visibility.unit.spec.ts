import { afterEach, beforeEach, expect, test } from 'vitest';
import { createMemoryBus } from '../../infra/bus/memory/create-memory-bus.ts';
import type { Bus } from '../../infra/ports/bus.ts';
import { silentLogger } from '../../tests/support/silent-logger.ts';
import {
  type CheckpointNotice,
  checkpointSubject,
  createVisibility,
  type Visibility,
} from './visibility.ts';

let bus: Bus;
let visibility: Visibility;

beforeEach(async () => {
  bus = createMemoryBus({ logger: silentLogger });
  visibility = createVisibility(bus, 60);
  await visibility.start();
});
afterEach(async () => {
  await visibility.stop();
  await bus.close();
});

type Checkpoint = CheckpointNotice['checkpoints'][number];
/** Resolves once the bus has delivered. */
const announce = async (...checkpoints: Checkpoint[]): Promise<void> => {
  bus.publish<CheckpointNotice>(checkpointSubject, { checkpoints });
  await new Promise((resolve) => setImmediate(resolve));
};
const plain = (position: bigint) => visibility.wait({ position, hasConsequences: false });
const withConsequences = (position: bigint) => visibility.wait({ position, hasConsequences: true });

test('without readers, a reply is sent at once', async () => {
  expect(await plain(10n)).toBe('visible');
});

test('a reply waits until every projection has passed its position', async () => {
  await announce({ name: 'a', position: '5' }, { name: 'b', position: '5' });
  const waiting = plain(10n);
  await announce({ name: 'a', position: '10' });
  await announce({ name: 'b', position: '12' });
  expect(await waiting).toBe('visible');
});

test('projections receive the position that a reply waits for, and nothing where none does', async () => {
  const awaited: (string | undefined)[] = [];
  await bus.subscribe<CheckpointNotice>(checkpointSubject, (notice) => {
    if (notice.checkpoints.length === 0) awaited.push(notice.awaited);
  });
  await announce({ name: 'a', position: '10' });
  await plain(10n);
  const waiting = plain(11n);
  await announce({ name: 'a', position: '11' });
  await waiting;
  expect(awaited).toEqual(['11']);
});

test('past the bound a reply goes out as lagging, and the silent one is not waited for again', async () => {
  await announce({ name: 'a', position: '5' });
  expect(await plain(10n)).toBe('lagging');
  expect(await plain(11n)).toBe('visible');
  await announce({ name: 'a', position: '6' });
  expect(await plain(12n)).toBe('lagging');
});

test('a projection that failed delays no reply', async () => {
  await announce({ name: 'a', position: '5', failed: true });
  expect(await plain(10n)).toBe('visible');
});

test('a change that a process acts upon waits for the process and for what it caused', async () => {
  await announce({ name: 'a', position: '5' }, { name: 'process:p', position: '5' });
  const waiting = withConsequences(10n);
  await announce({ name: 'a', position: '10' });
  await announce({ name: 'process:p', position: '10', caused: '20' });
  let isOver = false;
  void waiting.then(() => {
    isOver = true;
  });
  await announce({ name: 'a', position: '19' });
  expect(isOver).toBe(false);
  await announce({ name: 'a', position: '20' });
  expect(await waiting).toBe('visible');
});

test('other changes do not wait for processes', async () => {
  await announce({ name: 'process:p', position: '5' });
  expect(await plain(10n)).toBe('visible');
});
