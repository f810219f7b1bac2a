import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BatchWire, batchActions, writeBatchProperties } from '../../domain/task/batch.ts';
import type { FindTasks, FoundTasks, ListedTasks, ListTasks } from '../../domain/task/messages.ts';
import { people, type ReadApi, startReadApi } from '../../tests/support/read-api.ts';
import {
  aReport,
  aTaskAccepted,
  aTaskFailed,
  aTaskSubmitted,
} from '../../tests/support/task-examples.ts';

let api: ReadApi;
const { root, ada } = people;
const platform = 'batch' as const;
const properties = writeBatchProperties({
  model: 'gpt-4o-mini',
  endpoint: '/v1/chat/completions',
  requests: 2,
  promptTokens: 80,
  completionTokens: 200,
  fileName: '',
  bytes: 0,
  inputFile: 'file-f1',
  metadata: { run: 'nightly' },
});

const taken = (taskId: string, wire: BatchWire, userId: number = ada) => {
  const action = batchActions[wire];
  const upstreamId = `upstream-${taskId}`;
  return [
    aTaskSubmitted({ taskId, userId, platform, action, properties }),
    aTaskAccepted({ taskId, userId, platform, code: 0, upstreamId, quota: 99 }),
  ] as const;
};
const usage = { cachedTokens: 0, cacheCreationTokens: 0, promptTokens: 8, completionTokens: 7 };

beforeAll(async () => {
  api = await startReadApi();
  const { append } = api.side;
  const data = JSON.stringify({ status: 'completed', output: 'file-up1', error: 'file-up2' });
  const done = aReport({ status: 'SUCCESS', progress: '100%', data });
  const of1 = { taskId: 'o1', userId: ada };
  await append(
    'task-o1',
    ...taken('o1', 'openai'),
    { type: 'TaskSucceeded', data: { ...of1, report: done } },
    { type: 'TaskSettled', data: { ...of1, usage, amount: 9, refund: 90 } },
  );
  await append('task-a1', ...taken('a1', 'anthropic'));
  await append('task-a2', ...taken('a2', 'anthropic'));
  await append('task-a3', ...taken('a3', 'anthropic'));
  await append('task-o2', ...taken('o2', 'openai'));
  await append('task-a4', ...taken('a4', 'anthropic'), {
    type: 'TaskRemoved',
    data: { taskId: 'a4', userId: ada },
  });
  const failed = aReport({ status: 'FAILURE', progress: '100%', failReason: 'too long' });
  const ofFailed = { taskId: 'o3', userId: ada, reason: 'too long', report: failed };
  await append('task-o3', ...taken('o3', 'openai'), aTaskFailed(ofFailed));
  await append('task-a5', ...taken('a5', 'anthropic'));
  await append('task-a6', ...taken('a6', 'anthropic', root));
  await append('task-f1', aTaskSubmitted({ taskId: 'f1', userId: ada, platform: 'file' }));
  await api.side.settle();
});
afterAll(() => api.stop());

const listed = async (wire: BatchWire, changes: Partial<ListTasks> = {}) => {
  const asked: ListTasks = {
    platform,
    userId: ada,
    action: batchActions[wire],
    limit: 9,
    after: null,
    order: 'desc',
    ...changes,
  };
  const { tasks, hasMore } = await api.side.bus.request<ListTasks, ListedTasks>('task.list', asked);
  return { ids: tasks.map(({ taskId }) => taskId), hasMore };
};

test('a page holds batches of one API alone, and is full while there are more', async () => {
  expect(await listed('openai')).toEqual({ ids: ['o3', 'o2', 'o1'], hasMore: false });
  expect(await listed('openai', { limit: 2 })).toEqual({ ids: ['o3', 'o2'], hasMore: true });
  expect(await listed('openai', { limit: 2, after: 'o2' })).toEqual({
    ids: ['o1'],
    hasMore: false,
  });
  expect(await listed('anthropic', { limit: 3 })).toEqual({
    ids: ['a5', 'a3', 'a2'],
    hasMore: true,
  });
  expect(await listed('anthropic', { limit: 3, after: 'a2' })).toEqual({
    ids: ['a1'],
    hasMore: false,
  });
  expect(await listed('anthropic', { userId: root })).toEqual({ ids: ['a6'], hasMore: false });
});

test('a page before a batch ends with the one right before it, in the order of the list', async () => {
  expect(await listed('anthropic', { before: 'a1', limit: 2 })).toEqual({
    ids: ['a3', 'a2'],
    hasMore: true,
  });
  expect(await listed('anthropic', { before: 'a3', limit: 2 })).toEqual({
    ids: ['a5'],
    hasMore: false,
  });
  expect(await listed('anthropic', { before: 'a5' })).toEqual({ ids: [], hasMore: false });
  // What it is counted from may be gone meanwhile.
  expect(await listed('anthropic', { before: 'a4' })).toEqual({ ids: ['a5'], hasMore: false });
  expect(await listed('anthropic', { before: 'a3', order: 'asc' })).toEqual({
    ids: ['a1', 'a2'],
    hasMore: false,
  });
});

test.each([
  ['of another user', 'a6'],
  ['of the other API', 'o2'],
  ['of a file', 'f1'],
  ['that there never was', ''],
])('there is no page before or after a batch %s', async (_, cursor) => {
  const none = { ids: [], hasMore: false };
  expect(await listed('anthropic', { before: cursor })).toEqual(none);
  expect(await listed('anthropic', { after: cursor })).toEqual(none);
});

test('a list without an action has the tasks of every action', async () => {
  const asked = { platform, userId: ada, limit: 9, after: null, order: 'desc' };
  const { tasks } = await api.side.bus.request<object, ListedTasks>('task.list', asked);
  expect(tasks.map(({ taskId }) => taskId)).toEqual(['a5', 'o3', 'o2', 'a3', 'a2', 'a1', 'o1']);
});

test('the list of tasks shows a batch by the id of its API, without ids of the provider', async () => {
  const rows = await api.data('/api/task/self', ada, '?p=0&platform=batch');
  expect(rows.map(({ task_id }) => task_id)).toEqual([
    'msgbatch_a5',
    'batch_o3',
    'msgbatch_a4',
    'batch_o2',
    'msgbatch_a3',
    'msgbatch_a2',
    'msgbatch_a1',
    'batch_o1',
  ]);
  expect(rows[1]).toMatchObject({ status: 'FAILURE', fail_reason: 'too long', action: 'BATCH' });
  expect(rows[7]).toMatchObject({
    status: 'SUCCESS',
    quota: 99,
    properties: { model: 'gpt-4o-mini', requests: 2, metadata: { run: 'nightly' } },
    data: { status: 'completed' },
  });
  expect(JSON.stringify(rows)).not.toMatch(/upstream-|file-up/);
  const [one, ...more] = await api.data('/api/task/', root, '?p=0&task_id=msgbatch_a6');
  expect([one?.task_id, one?.user_id, more]).toEqual(['msgbatch_a6', root, []]);
});

test('a relay finds batches by our id or the id of the provider, but none that was removed', async () => {
  const find = async (changes: Partial<FindTasks>) => {
    const asked: FindTasks = { platform, userId: ada, upstreamIds: [], ...changes };
    const { tasks } = await api.side.bus.request<FindTasks, FoundTasks>('task.find', asked);
    return tasks.map(({ taskId, report }) => [taskId, report.properties, report.data !== '']);
  };
  expect(await find({ taskIds: ['o1', 'a4', 'a6'] })).toEqual([['o1', properties, true]]);
  expect(await find({ upstreamIds: ['upstream-a5', 'upstream-a6'] })).toEqual([
    ['a5', properties, false],
  ]);
  expect(await find({ platform: 'file', taskIds: ['o1'] })).toEqual([]);
});
