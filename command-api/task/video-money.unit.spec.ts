import { afterEach, beforeEach, expect, test } from 'vitest';
import type { RequestCharged } from '../../domain/account/events.ts';
import type { UsageRecord } from '../../domain/account/messages.ts';
import type { PriceQuote } from '../../domain/pricing/types.ts';
import type { ReportOfTask, TaskReported } from '../../domain/task/messages.ts';
import { aUsedRecord } from '../../tests/support/account-examples.ts';
import { anAcceptTask, aReport, taskFacts, taskId } from '../../tests/support/task-examples.ts';
import { startWriteSide, type WriteSide } from '../../tests/support/write-side.ts';

const userId = 1;
/** 8 s · 0.5 USD · 500,000 units · 0.8 */
const units = 1_600_000;
const quote: PriceQuote = {
  kind: 'price',
  model: 'sora-2-pro',
  modelPrice: '0.5',
  groupRatio: '0.8',
  quotaPerUnit: 500_000,
  video: { size: '1792x1024' },
};
const usage = {
  promptTokens: 0,
  completionTokens: 0,
  cachedTokens: 0,
  cacheCreationTokens: 0,
  videoSeconds: 8,
};
const platform = 'video' as const;
const upstreamId = 'video_up1';
const facts = taskFacts({ userId, tokenId: 0, platform, action: 'VIDEO', model: 'sora-2-pro' });
const { data } = anAcceptTask({ userId, platform, upstreamId, code: 0, quota: units });

let side: WriteSide;
beforeEach(async () => {
  side = await startWriteSide();
  await side.root();
});
afterEach(() => side.stop());

const ship = (...records: readonly UsageRecord[]): Promise<void> =>
  side.bus.queue<string>('usage').publish(
    userId % 64,
    records.map((record) => JSON.stringify(record)),
  );
const used = (): UsageRecord => ({
  ...aUsedRecord({
    userId,
    leaseId: null,
    sequence: 2,
    call: { requestId: taskId, tokenId: 0, task: { platform, action: 'VIDEO', upstreamId } },
    task: { facts, outcome: { kind: 'accepted', ...data } },
  }),
  usage,
  quote,
});
const failedBy = (relayId: string): Promise<TaskReported> =>
  side.bus.request<ReportOfTask, TaskReported>('task.report', {
    taskId,
    report: aReport({ status: 'FAILURE', progress: '100%', failReason: 'the lens broke' }),
    relayId,
  });
const balance = async () => (await side.keeper.summary(userId))?.balance;
const refunds = () => side.events<{ amount: number }>('RequestRefunded');

test('a video is charged by its seconds, once, and given back once when two relays see it fail', async () => {
  const before = await balance();
  await ship(used());
  await ship(used());
  const charges = side.events<RequestCharged['data']>('RequestCharged');
  expect(charges).toMatchObject([{ amount: units, usage: { videoSeconds: 8 }, quote }]);
  expect(await balance()).toBe((before ?? 0) - units);
  await Promise.all([failedBy('relay-a'), failedBy('relay-b'), failedBy('relay-a')]);
  await expect.poll(refunds).toMatchObject([{ requestId: taskId, amount: units }]);
  await failedBy('relay-b');
  await expect.poll(balance).toBe(before);
  expect(refunds()).toHaveLength(1);
});
