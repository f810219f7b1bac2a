import { expect, test } from 'vitest';
import type { Event } from '../../domain/shared/event.ts';
import type { TaskPlatform } from '../../domain/task/events.ts';
import type {
  PolledTasks,
  PollTasks,
  RemovalOfTask,
  RemovedTask,
  ReportOfTask,
  TaskReported,
  UnfinishedTask,
} from '../../domain/task/messages.ts';
import { taskStreamId } from '../../domain/task/stream.ts';
import { createMemoryBus } from '../../infra/bus/memory/create-memory-bus.ts';
import { aChannelCreated } from '../../tests/support/channel-examples.ts';
import { createMemoryEventStore } from '../../tests/support/memory-event-store.ts';
import { aMetadata } from '../../tests/support/metadata-examples.ts';
import { silentLogger } from '../../tests/support/silent-logger.ts';
import {
  aReport,
  aTaskAccepted,
  aTaskSubmitted,
  taskId,
} from '../../tests/support/task-examples.ts';
import { vaultOf } from '../../tests/support/vault.ts';
import { VirtualTimers } from '../../tests/support/virtual-timers.ts';
import { createHandle } from '../commands/handle-command.ts';
import { pollTasks } from './poll-tasks.ts';
import { serveTaskRemovals, serveTaskReports } from './report-task.ts';

const now = new Date('2026-03-01T08:20:00.000Z');
const hourMs = 3_600_000;
const signal = new AbortController().signal;

type Play = Readonly<{
  /** The provider's report of `mj-1`; null: it cannot be polled. */
  says: PolledTasks['reports'];
  task?: Partial<UnfinishedTask>;
  platform?: TaskPlatform;
  withoutChannel?: true;
}>;

const play = async ({ says, task = {}, platform: own = 'mj', withoutChannel }: Play) => {
  const bus = createMemoryBus({ logger: silentLogger });
  const eventStore = createMemoryEventStore();
  const tell = (streamId: string, event: Event) =>
    eventStore.append(
      streamId,
      [{ event, eventId: crypto.randomUUID(), metadata: aMetadata() }],
      'any',
    );
  if (withoutChannel !== true) await tell('channel-4', aChannelCreated());
  await tell(taskStreamId(taskId), aTaskSubmitted());
  await tell(taskStreamId(taskId), aTaskAccepted());
  const submittedMs = now.getTime() - 60_000;
  const open: UnfinishedTask = { taskId, upstreamId: 'mj-1', channelId: 4, submittedMs, ...task };
  await bus.serve('task.unfinished', async ({ platform }: { platform: string }) => ({
    tasks: platform === own ? [open] : [],
  }));
  const asked: PollTasks[] = [];
  await bus.serve<PollTasks, PolledTasks>('relay.poll-tasks', async (work) => {
    asked.push(work);
    return { reports: says };
  });
  const timers = new VirtualTimers();
  const needs = {
    bus,
    commands: createHandle({ eventStore }),
    clock: () => now,
    timers,
    logger: silentLogger,
    vault: vaultOf('poll-tasks'),
  };
  const job = pollTasks(needs, { isOn: true });
  const runOnce = () => job.run({ runId: 'run-1', signal, isByHand: false });
  const events = () =>
    eventStore.all.filter(({ streamId }) => streamId.startsWith('task-')).map(({ event }) => event);
  /** Polled in vain for so long. */
  const runAgainAfter = async (ms: number) => {
    await runOnce();
    await timers.advance(ms);
    return runOnce();
  };
  return { bus, needs, asked, runOnce, runAgainAfter, events };
};

const done = aReport({ status: 'SUCCESS', progress: '100%' });

test('a task that its provider calls finished is finished, once', async () => {
  const { runOnce, events, asked } = await play({ says: [{ upstreamId: 'mj-1', report: done }] });
  expect(await runOnce()).toEqual({ asked: 1, changed: 1, givenUp: 0 });
  expect(await runOnce()).toEqual({ asked: 1, changed: 0, givenUp: 0 });
  expect(events().map(({ type }) => type)).toEqual([
    'TaskSubmitted',
    'TaskAccepted',
    'TaskSucceeded',
  ]);
  const tasks = [{ taskId, upstreamId: 'mj-1' }];
  expect(asked[0]).toEqual({ platform: 'mj', channelId: 4, upstreamIds: ['mj-1'], tasks });
});

test('numbers that were not requested are left alone', async () => {
  const { runOnce, events } = await play({ says: [{ upstreamId: 'other', report: done }] });
  expect(await runOnce()).toEqual({ asked: 1, changed: 0, givenUp: 0 });
  expect(events()).toHaveLength(2);
});

test('a provider that cannot be polled is polled again, and nothing is given up meanwhile', async () => {
  const { runOnce, events } = await play({ says: null });
  await runOnce();
  expect(events()).toHaveLength(2);
});

test('after an hour a task is over, also when its provider no longer reports it', async () => {
  const submittedMs = now.getTime() - hourMs;
  const { runAgainAfter, events } = await play({ says: [], task: { submittedMs } });
  expect(await runAgainAfter(hourMs)).toMatchObject({ givenUp: 1 });
  expect(events().at(-1)).toMatchObject({
    type: 'TaskFailed',
    data: { source: 'timeout', quota: 50_000, reason: '上游任务超时（超过1小时）' },
  });
});

test.each([
  ['a clock that is hours ahead', []],
  ['an outage of hours, after which no provider can be asked yet', null],
])('%s ends no task', async (_what, says) => {
  const submittedMs = now.getTime() - 5 * hourMs;
  const { runAgainAfter, events } = await play({ says, task: { submittedMs } });
  expect(await runAgainAfter(hourMs - 1)).toMatchObject({ givenUp: 0 });
  expect(events().map(({ type }) => type)).toEqual(['TaskSubmitted', 'TaskAccepted']);
});

test('a task whose channel is gone fails, and names the channel', async () => {
  const { runOnce, events, asked } = await play({ says: [], withoutChannel: true });
  expect(await runOnce()).toMatchObject({ givenUp: 1 });
  expect(events().at(-1)).toMatchObject({ data: { source: 'channel-gone', quota: 50_000 } });
  expect(JSON.stringify(events().at(-1))).toContain('渠道ID：4');
  expect(asked).toEqual([]);
});

test('a simultaneous callback and poll fail a task once', async () => {
  const failed = aReport({ status: 'FAILURE', progress: '100%', failReason: 'the brush broke' });
  const { bus, needs, runOnce, events } = await play({
    says: [{ upstreamId: 'mj-1', report: failed }],
  });
  const stop = await serveTaskReports(bus, needs);
  const report = (): Promise<TaskReported> =>
    bus.request<ReportOfTask, TaskReported>('task.report', {
      taskId,
      report: failed,
      relayId: 'relay-1',
    });
  await Promise.all([runOnce(), report(), report()]);
  await stop();
  expect(events().filter(({ type }) => type === 'TaskFailed')).toHaveLength(1);
});

test('a callback for a task that was not submitted is rejected', async () => {
  const { bus, needs } = await play({ says: [] });
  const stop = await serveTaskReports(bus, needs);
  const answer = await bus.request<ReportOfTask, TaskReported>('task.report', {
    taskId: 'never',
    report: done,
    relayId: 'relay-1',
  });
  await stop();
  expect(answer).toEqual({ isKnown: false });
});

const failed = aReport({ status: 'FAILURE', progress: '100%', failReason: 'the lens broke' });

test('a video that two rounds report as failed at once fails once', async () => {
  const { runOnce, events, asked } = await play({
    says: [{ upstreamId: 'mj-1', report: failed }],
    platform: 'video',
  });
  await Promise.all([runOnce(), runOnce(), runOnce()]);
  expect(events().filter(({ type }) => type === 'TaskFailed')).toHaveLength(1);
  expect(asked[0]).toMatchObject({ platform: 'video', upstreamIds: ['mj-1'] });
});

test.each([
  [23, 0],
  [24, 1],
])('a video that has not ended after %i hours is given up: %i', async (hours, givenUp) => {
  const submittedMs = now.getTime() - hours * hourMs;
  const task = { submittedMs };
  const { runAgainAfter, events } = await play({ says: null, task, platform: 'video' });
  expect(await runAgainAfter(hourMs)).toMatchObject({ givenUp });
  const timeouts = events().filter(({ type }) => type === 'TaskFailed');
  expect(timeouts).toHaveLength(givenUp);
  if (givenUp > 0)
    expect(timeouts[0]).toMatchObject({ data: { source: 'timeout', quota: 50_000 } });
});

test('its owner removes a task when it has ended, and not before', async () => {
  const { bus, needs, runOnce, events } = await play({
    says: [{ upstreamId: 'mj-1', report: done }],
  });
  const stop = await serveTaskRemovals(bus, needs);
  const remove = async (id: string) =>
    (
      await bus.request<RemovalOfTask, RemovedTask>('task.remove', {
        taskId: id,
        relayId: 'relay-1',
      })
    ).outcome;
  expect(await remove('never')).toBe('unknown');
  expect(await remove(taskId)).toBe('unfinished');
  await runOnce();
  expect(await Promise.all([remove(taskId), remove(taskId)])).toEqual(['removed', 'removed']);
  await stop();
  expect(events().filter(({ type }) => type === 'TaskRemoved')).toHaveLength(1);
});
