import { expect, test } from 'vitest';
import type { RequestRefunded } from '../../domain/account/events.ts';
import type { Event } from '../../domain/shared/event.ts';
import type { TaskSettled } from '../../domain/task/events.ts';
import { aRequestCharged } from '../../tests/support/account-events.ts';
import { aMetadata } from '../../tests/support/metadata-examples.ts';
import {
  aTaskAccepted,
  aTaskFailed,
  aTaskSubmitted,
  taskId,
} from '../../tests/support/task-examples.ts';
import { type ConcernedEvent, concernsOf } from './concerns.ts';
import { Findings } from './findings.ts';
import { TaskCheck } from './task-check.ts';

const later = Date.parse('2026-03-02T08:00:00.000Z');
const task = { platform: 'mj', action: 'IMAGINE', upstreamId: 'mj-1' } as const;
const charged = aRequestCharged({ call: { requestId: taskId, task } });
const price = charged.data.amount;
const accepted = aTaskAccepted({ quota: price });
const failed = aTaskFailed({ quota: price });
const refunded = (amount = price): RequestRefunded => ({
  type: 'RequestRefunded',
  data: {
    userId: 42,
    requestId: taskId,
    tokenId: 7,
    amount,
    reason: 'task.upstream',
    balanceAfter: 0,
  },
});
const taken = [aTaskSubmitted(), charged, accepted];

const breaksOf = (events: readonly Event[], now = later): string[] => {
  const findings = new Findings();
  const check = new TaskCheck(findings);
  const concerning = events.filter((event): event is ConcernedEvent<'tasks'> =>
    concernsOf(event.type).includes('tasks'),
  );
  for (const [at, event] of concerning.entries()) {
    const place = { revision: BigInt(at), position: BigInt(at), streamId: 'any' };
    check.see({ event, eventId: `event-${at}`, metadata: aMetadata(), ...place });
  }
  check.end(now);
  return findings.breaks.map(({ kind }) => kind);
};

test.each([
  ['runs', taken],
  ['failed and was paid back', [...taken, failed, refunded()]],
  ['was refused', [aTaskSubmitted(), aTaskFailed({ source: 'refused', quota: 0 })]],
  [
    'was given up for dead and came back',
    [aTaskSubmitted(), aTaskFailed({ source: 'abandoned', quota: 0 }), charged, accepted],
  ],
] as const)('a task that %s is no break', (_, events) => {
  expect(breaksOf(events)).toEqual([]);
});

test('a failed task that was not paid back is found', () => {
  expect(breaksOf([...taken, failed])).toEqual(['task-not-refunded']);
});

test('a failure of this moment still has time for its refund', () => {
  const moment = Date.parse(aMetadata().occurredAt);
  expect(breaksOf([...taken, failed], moment)).toEqual([]);
});

test('a failed task that was paid back twice, or in part, is found', () => {
  expect(breaksOf([...taken, failed, refunded(), refunded()])).toEqual(['task-not-refunded']);
  expect(breaksOf([...taken, failed, refunded(1)])).toEqual(['task-not-refunded']);
});

test('money that goes back for a task that did not fail is found', () => {
  expect(breaksOf([...taken, refunded()])).toEqual(['refund-without-failure']);
});

test('a task that names another price than was charged is found', () => {
  expect(breaksOf([charged, aTaskSubmitted(), aTaskAccepted({ quota: 1 })])).toEqual([
    'task-charge-mismatch',
  ]);
  expect(breaksOf([aTaskSubmitted(), accepted])).toEqual(['task-charge-mismatch']);
});

const settled = (refund: number): TaskSettled => ({
  type: 'TaskSettled',
  data: { taskId, userId: 42, usage: charged.data.usage, amount: price - refund, refund },
});

test('a batch that was settled gets back what its settlement names, and that once', () => {
  expect(breaksOf([...taken, settled(0)])).toEqual([]);
  expect(breaksOf([...taken, settled(10), refunded(10)])).toEqual([]);
  expect(breaksOf([...taken, settled(10)])).toEqual(['task-not-refunded']);
  expect(breaksOf([...taken, settled(10), refunded(9)])).toEqual(['task-not-refunded']);
  expect(breaksOf([...taken, settled(10), refunded(10), refunded(10)])).toEqual([
    'task-not-refunded',
  ]);
  expect(breaksOf([...taken, refunded(10), settled(10)])).toContain('refund-without-failure');
});

test('a settlement that does not add up to the charge is a break', () => {
  const wrong = { ...settled(0), data: { ...settled(0).data, amount: price + 1 } };
  expect(breaksOf([...taken, wrong])).toEqual(['task-charge-mismatch']);
});
