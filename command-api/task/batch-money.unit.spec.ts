import { afterEach, beforeEach, expect, test } from 'vitest';
import type { UsageRecord } from '../../domain/account/messages.ts';
import type { Quote } from '../../domain/pricing/types.ts';
import type { ReportOfTask, TaskReported } from '../../domain/task/messages.ts';
import { anAccountCommand, aUsedRecord } from '../../tests/support/account-examples.ts';
import { anAcceptTask, aReport, taskFacts, taskId } from '../../tests/support/task-examples.ts';
import { startWriteSide, type WriteSide } from '../../tests/support/write-side.ts';

const userId = 1;
const quote: Quote = {
  kind: 'ratio',
  model: 'gpt-4o-mini',
  modelRatio: '0.075',
  completionRatio: '4',
  cacheRatio: '0.5',
  cacheCreationRatio: '1.25',
  groupRatio: '0.8',
  batch: { ratio: '0.5' },
};
const none = { cachedTokens: 0, cacheCreationTokens: 0 };
const estimate = { promptTokens: 10_000, completionTokens: 50_000, ...none, batchRequests: 10 };
/** (10,000 + 4 · 50,000) · 0.075 · 0.8 · 0.5 */
const charged = 6_300;
const used = { promptTokens: 9_000, completionTokens: 1_000, ...none, batchRequests: 9 };
/** (9,000 + 4 · 1,000) · 0.075 · 0.8 · 0.5 */
const due = 390;

const platform = 'batch' as const;
const upstreamId = 'batch_up1';
const facts = taskFacts({ userId, tokenId: 0, platform, action: 'BATCH', model: 'gpt-4o-mini' });
const { data } = anAcceptTask({ userId, platform, upstreamId, code: 0, quota: charged, quote });

let side: WriteSide;
beforeEach(async () => {
  side = await startWriteSide();
  await side.root();
});
afterEach(() => side.stop());

const record = (): UsageRecord => ({
  ...aUsedRecord({
    userId,
    leaseId: null,
    sequence: 2,
    call: { requestId: taskId, tokenId: 0, task: { platform, action: 'BATCH', upstreamId } },
    task: { facts, outcome: { kind: 'accepted', ...data } },
  }),
  usage: estimate,
  quote,
});
const ship = (): Promise<void> =>
  side.bus.queue<string>('usage').publish(userId % 64, [JSON.stringify(record())]);
const report = (relayId: string, more: Partial<ReportOfTask> = {}): Promise<TaskReported> =>
  side.bus.request<ReportOfTask, TaskReported>('task.report', {
    taskId,
    report: aReport({ status: 'SUCCESS', progress: '100%' }),
    relayId,
    used,
    ...more,
  });
const balance = async () => (await side.keeper.summary(userId))?.balance;
const refunds = () => side.events<{ amount: number }>('RequestRefunded');

test('a batch is charged by its estimate once, and settled once when two relays read its results', async () => {
  const before = (await balance()) ?? 0;
  await ship();
  await ship();
  expect(side.events('RequestCharged')).toMatchObject([{ amount: charged, quote }]);
  expect(await balance()).toBe(before - charged);
  const other = { ...used, promptTokens: 1 };
  await Promise.all([report('relay-a'), report('relay-b'), report('relay-c', { used: other })]);
  await expect.poll(refunds).toHaveLength(1);
  expect(side.events('TaskSettled')).toHaveLength(1);
  expect(refunds()).toMatchObject([{ requestId: taskId, amount: charged - due }]);
  await report('relay-b');
  await expect.poll(balance).toBe(before - due);
  expect(refunds()).toHaveLength(1);
});

test('a failed batch is given back whole, and its late results are ignored', async () => {
  const before = await balance();
  await ship();
  const failure = { status: 'FAILURE', progress: '100%', failReason: 'no line was valid' };
  await report('relay-a', { report: aReport(failure) });
  await report('relay-b');
  await expect.poll(balance).toBe(before);
  expect(refunds()).toMatchObject([{ amount: charged, reason: 'task.upstream' }]);
});

test('processes that follow the log from its beginning settle nothing again', async () => {
  await ship();
  await report('relay-a');
  await expect.poll(refunds).toHaveLength(1);
  const { eventStore } = side;
  await side.stop();
  eventStore.restartStream('process-task-refunds');
  side = await startWriteSide({ eventStore });
  await side.root();
  await report('relay-a');
  expect(refunds()).toHaveLength(1);
});

test('a settlement gives back no more than is left of the charge', async () => {
  const before = (await balance()) ?? 0;
  await ship();
  const given = { userId, requestId: taskId, amount: charged - 100, reason: 'support' };
  await side.keeper.execute(anAccountCommand('RefundRequest', given));
  await report('relay-a');
  await expect.poll(balance).toBe(before);
  expect(refunds().map(({ amount }) => amount)).toEqual([charged - 100, 100]);
});
