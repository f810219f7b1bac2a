import { expect, test } from 'vitest';
import { createMemory } from './tick-transaction.ts';
import type { Member } from './worker.ts';

const member = (position: bigint | null): Member =>
  ({
    projector: { name: 'ledger' },
    at: position === null ? null : { position, eventId: 'e' },
  }) as Member;

test('what a tick has read is there for the tick after it', () => {
  const memory = createMemory();
  memory.of(member(null)).set('leases', 1);
  memory.passed(member(null), 5n);
  memory.of(member(5n)).set('switches', 2);
  memory.passed(member(5n), 9n);
  expect(memory.of(member(9n))).toEqual(
    new Map([
      ['leases', 1],
      ['switches', 2],
    ]),
  );
});

test('it is read again when the projector has taken events by itself meanwhile', () => {
  const memory = createMemory();
  memory.of(member(5n)).set('leases', 1);
  memory.passed(member(5n), 9n);
  expect(memory.of(member(12n)).size).toBe(0);
  expect(memory.of(member(9n)).size).toBe(0);
});

test('it is read again after a tick that failed', () => {
  const memory = createMemory();
  memory.of(member(5n)).set('leases', 1);
  memory.partitions.add('usage_log.entries_2026_03');
  memory.clear();
  expect(memory.of(member(5n)).size).toBe(0);
  expect(memory.partitions.size).toBe(0);
});
