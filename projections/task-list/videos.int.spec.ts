import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FindTasks, FoundTasks, ListedTasks, ListTasks } from '../../domain/task/messages.ts';
import { writeVideoProperties } from '../../domain/task/video.ts';
import { people, type ReadApi, startReadApi } from '../../tests/support/read-api.ts';
import {
  aReport,
  aTaskAccepted,
  aTaskFailed,
  aTaskSubmitted,
} from '../../tests/support/task-examples.ts';

let api: ReadApi;
const { root, ada } = people;
const platform = 'video' as const;
const ofSora = { model: 'sora-2', seconds: 8, size: '1280x720', remixedFrom: null };
const properties = writeVideoProperties(ofSora);

const taken = (taskId: string, userId: number = ada) =>
  [
    aTaskSubmitted({ taskId, userId, platform, action: 'VIDEO', properties }),
    aTaskAccepted({ taskId, userId, platform, code: 0, upstreamId: `upstream-${taskId}` }),
  ] as const;

beforeAll(async () => {
  api = await startReadApi();
  const { append } = api.side;
  const done = aReport({ status: 'SUCCESS', progress: '100%', finishTime: 9 });
  await append('task-v1', ...taken('v1'), {
    type: 'TaskSucceeded',
    data: { taskId: 'v1', userId: ada, report: done },
  });
  await append('task-v2', ...taken('v2'));
  await append('task-v3', ...taken('v3', root));
  await append('task-v4', aTaskSubmitted({ taskId: 'v4', userId: ada, platform }));
  await append('task-v5', ...taken('v5'), aTaskFailed({ taskId: 'v5', userId: ada }), {
    type: 'TaskRemoved',
    data: { taskId: 'v5', userId: ada },
  });
  await append('task-v6', ...taken('v6'));
  await append('task-m1', aTaskSubmitted({ taskId: 'm1', userId: ada }));
  await api.side.settle();
});
afterAll(() => api.stop());

test('the list of tasks shows a video by the id for callers, with its length', async () => {
  const rows = await api.data('/api/task/self', ada, '?p=0&platform=video');
  expect(rows.map(({ task_id }) => task_id)).toEqual([
    'video_v6',
    'video_v5',
    '',
    'video_v2',
    'video_v1',
  ]);
  expect(rows[4]).toMatchObject({ action: 'VIDEO', status: 'SUCCESS', properties: ofSora });
  expect(rows[3]).toMatchObject({ platform: 'video', status: 'NOT_START', channel_id: 0 });
  const one = await api.data('/api/task/', root, '?p=0&task_id=video_v3');
  expect(one).toMatchObject([{ task_id: 'video_v3', user_id: root, channel_id: 4 }]);
});

const listed = async (changes: Partial<ListTasks> = {}) => {
  const asked: ListTasks = {
    platform,
    userId: ada,
    limit: 9,
    after: null,
    order: 'desc',
    ...changes,
  };
  const { tasks, hasMore } = await api.side.bus.request<ListTasks, ListedTasks>('task.list', asked);
  return { ids: tasks.map(({ taskId }) => taskId), hasMore };
};

test('a user lists the videos that were accepted and not removed, page by page', async () => {
  expect(await listed()).toEqual({ ids: ['v6', 'v2', 'v1'], hasMore: false });
  expect(await listed({ limit: 2 })).toEqual({ ids: ['v6', 'v2'], hasMore: true });
  expect(await listed({ limit: 2, after: 'v2' })).toEqual({ ids: ['v1'], hasMore: false });
  expect(await listed({ order: 'asc', after: 'v1' })).toEqual({
    ids: ['v2', 'v6'],
    hasMore: false,
  });
  expect(await listed({ after: 'v3' })).toEqual({ ids: [], hasMore: false });
  expect(await listed({ userId: root })).toEqual({ ids: ['v3'], hasMore: false });
});

test('a video that was removed is found by no relay, and stays in the list of tasks', async () => {
  const { tasks } = await api.side.bus.request<FindTasks, FoundTasks>('task.find', {
    platform,
    userId: ada,
    upstreamIds: [],
    taskIds: ['v1', 'v5'],
  });
  expect(tasks.map(({ taskId }) => taskId)).toEqual(['v1']);
  expect(tasks[0]?.report.properties).toBe(properties);
});
