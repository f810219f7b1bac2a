import { afterEach, beforeEach, expect, test } from 'vitest';
import type { UsageRecord } from '../../domain/account/messages.ts';
import type { ReportOfTask, TaskNote, TaskReported } from '../../domain/task/messages.ts';
import {
  aFailedRecord,
  aStartedRecord,
  aUsedRecord,
} from '../../tests/support/account-examples.ts';
import { createMemoryEventStore } from '../../tests/support/memory-event-store.ts';
import { anAcceptTask, aReport, taskFacts, taskId } from '../../tests/support/task-examples.ts';
import { startWriteSide, type WriteSide } from '../../tests/support/write-side.ts';

const userId = 1;
const facts = taskFacts({ userId, tokenId: 0 });
const accepted: TaskNote = {
  facts,
  outcome: { kind: 'accepted', ...anAcceptTask({ userId, quota: 50_000 }).data },
};
const failing = aReport({ status: 'FAILURE', progress: '100%', failReason: 'the brush broke' });

let side: WriteSide;
beforeEach(async () => {
  side = await startWriteSide();
  await side.root();
});
afterEach(() => side.stop());

const used = (sequence = 2): UsageRecord =>
  aUsedRecord({
    userId,
    leaseId: null,
    amount: 50_000,
    sequence,
    call: {
      requestId: taskId,
      tokenId: 0,
      task: { platform: 'mj', action: 'IMAGINE', upstreamId: 'mj-1' },
    },
    task: accepted,
  });
const started = (): UsageRecord =>
  aStartedRecord({
    userId,
    tokenId: 0,
    leaseId: null,
    requestId: taskId,
    task: { facts, outcome: null },
  });
const ship = (...records: readonly UsageRecord[]): Promise<void> =>
  side.bus.queue<string>('usage').publish(
    userId % 64,
    records.map((record) => JSON.stringify(record)),
  );
const report = (): Promise<TaskReported> =>
  side.bus.request<ReportOfTask, TaskReported>('task.report', {
    taskId,
    report: failing,
    relayId: 'relay-a',
  });
const typesOf = (streamId: string): string[] =>
  side.eventStore.all
    .filter((recorded) => recorded.streamId === streamId)
    .map(({ event }) => event.type);
const balance = async (): Promise<number | undefined> =>
  (await side.keeper.summary(userId))?.balance;
const refunds = () => side.events<{ amount: number }>('RequestRefunded');

test('a task exists while its provider works, and is charged when it is accepted', async () => {
  await ship(started());
  expect(typesOf(`task-${taskId}`)).toEqual(['TaskSubmitted']);
  await ship(used());
  expect(typesOf(`task-${taskId}`)).toEqual(['TaskSubmitted', 'TaskAccepted']);
  expect(side.events('RequestCharged')).toHaveLength(1);
  const all = side.eventStore.all.map(({ event }) => event.type);
  expect(all.indexOf('RequestCharged')).toBeLessThan(all.indexOf('TaskAccepted'));
});

test('repeated records change nothing', async () => {
  await ship(started(), used());
  await ship(started(), used());
  expect(typesOf(`task-${taskId}`)).toEqual(['TaskSubmitted', 'TaskAccepted']);
  expect(side.events('RequestCharged')).toHaveLength(1);
});

test('a failed task is paid back once, however often that is reported', async () => {
  const before = await balance();
  await ship(used());
  await Promise.all([report(), report(), report()]);
  await report();
  await expect.poll(refunds).toHaveLength(1);
  expect(refunds()).toMatchObject([{ requestId: taskId, amount: 50_000, reason: 'task.upstream' }]);
  await expect.poll(balance).toBe(before);
  expect((await side.keeper.summary(userId))?.used).toBe(0);
});

test('processes that follow the log from its beginning pay nothing back again', async () => {
  await ship(used());
  await report();
  await expect.poll(refunds).toHaveLength(1);
  const { eventStore } = side;
  await side.stop();
  eventStore.restartStream('process-task-refunds');
  side = await startWriteSide({ eventStore });
  await side.root();
  await ship(used(3));
  expect(refunds()).toHaveLength(1);
});

test('a crash between the failure and the money heals at the next start', async () => {
  await side.stop();
  const eventStore = createMemoryEventStore();
  side = await startWriteSide({ eventStore });
  await side.root();
  await ship(used());
  eventStore.beforeAppend = async (streamId) => {
    const isRefund = streamId.startsWith('account-');
    if (isRefund) throw new Error('the process dies here');
  };
  await report();
  await side.stop();
  expect(refunds()).toEqual([]);
  eventStore.beforeAppend = null;
  side = await startWriteSide({ eventStore });
  await expect.poll(refunds).toHaveLength(1);
});

test('a refusal costs nothing and gives nothing back', async () => {
  const outcome = { kind: 'refused', code: 24, reason: 'banned prompt' } as const;
  const failed = aFailedRecord({ userId, call: { requestId: taskId }, task: { facts, outcome } });
  await ship(failed);
  expect(typesOf(`task-${taskId}`)).toEqual(['TaskSubmitted', 'TaskFailed']);
  expect(side.events('RequestCharged')).toEqual([]);
  expect(refunds()).toEqual([]);
});

test('the word of a relay that was taken for dead is booked, and its task can still fail once', async () => {
  const lost: UsageRecord = { ...(started() as object), kind: 'lost' } as UsageRecord;
  await ship(lost);
  expect(typesOf(`task-${taskId}`)).toEqual(['TaskSubmitted', 'TaskFailed']);
  await ship(used());
  expect(typesOf(`task-${taskId}`).at(-1)).toBe('TaskAccepted');
  await report();
  await expect.poll(refunds).toHaveLength(1);
});
