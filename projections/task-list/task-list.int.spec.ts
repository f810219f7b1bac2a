import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FindTasks, FoundTasks, UnfinishedTasks } from '../../domain/task/messages.ts';
import { people, type ReadApi, startReadApi } from '../../tests/support/read-api.ts';
import { signedIn } from '../../tests/support/read-side-story.ts';
import {
  aReport,
  aTaskAccepted,
  aTaskFailed,
  aTaskSubmitted,
} from '../../tests/support/task-examples.ts';

let api: ReadApi;
const { root, ada } = people;
const submittedMs = Date.parse('2026-03-01T08:15:00.000Z');
const imageUrl = 'https://cdn.example/1.png';

const submit = (taskId: string, changes: Parameters<typeof aTaskSubmitted>[0] = {}) =>
  aTaskSubmitted({ taskId, userId: ada, ...changes });
const accept = (taskId: string, changes: Parameters<typeof aTaskAccepted>[0] = {}) =>
  aTaskAccepted({ taskId, userId: ada, upstreamId: `mj-${taskId}`, ...changes });

beforeAll(async () => {
  api = await startReadApi();
  const { append } = api.side;
  const done = aReport({ status: 'SUCCESS', progress: '100%', imageUrl, finishTime: submittedMs });
  await append('task-a', submit('a', { prompt: 'a\0gate' }), accept('a'), {
    type: 'TaskSucceeded',
    data: { taskId: 'a', report: done },
  });
  await append('task-b', submit('b'), accept('b'), aTaskFailed({ taskId: 'b', userId: ada }));
  await append(
    'task-c',
    submit('c', { userId: root }),
    accept('c', { userId: root, channelId: 9 }),
  );
  await append('task-d', submit('d'));
  const refused = {
    source: 'refused',
    code: 24,
    reason: 'banned',
    quota: 0,
    report: null,
  } as const;
  await append('task-e', submit('e'), aTaskFailed({ taskId: 'e', userId: ada, ...refused }));
  const song = { platform: 'suno', action: 'MUSIC', properties: '{"input":{"mv":"v3"}}' } as const;
  await append(
    'task-s',
    submit('s', { ...song, channelId: 5 }),
    accept('s', { platform: 'suno', channelId: 5, code: 0, upstreamId: 'song-1' }),
    {
      type: 'TaskProgressed',
      data: { taskId: 's', report: aReport({ status: 'IN_PROGRESS', data: '[{"id":1}]' }) },
    },
  );
  await api.side.settle();
});
afterAll(() => api.stop());

const drawings = (query: string, as: number = root) =>
  api.data(as === root ? '/api/mj/' : '/api/mj/self', as, `?p=0${query}`);
const ids = async (query: string, as: number = root) =>
  (await drawings(query, as)).map(({ mj_id }) => mj_id);

test('administrators see every drawing, newest first, with its price and its channel', async () => {
  expect(await ids('')).toEqual(['', '', 'mj-c', 'mj-b', 'mj-a']);
  const [drawn] = await drawings('&mj_id=mj-a');
  expect(drawn).toMatchObject({
    action: 'IMAGINE',
    code: 1,
    status: 'SUCCESS',
    progress: '100%',
    submit_time: submittedMs,
    created_at: submittedMs / 1_000,
    channel_id: 4,
    quota: 50_000,
    prompt: 'a\ufffdgate',
    image_url: '/mj/image/mj-a',
  });
});

test('others see their own drawings, without prices and channels', async () => {
  const rows = await drawings('', ada);
  expect(rows.map(({ mj_id }) => mj_id)).toEqual(['', '', 'mj-b', 'mj-a']);
  expect(new Set(rows.map(({ channel_id, quota }) => channel_id + quota))).toEqual(new Set([0]));
});

test('a drawing that failed shows why, and one that was refused costs nothing', async () => {
  const [failed] = await drawings('&mj_id=mj-b');
  expect(failed).toMatchObject({
    status: 'FAILURE',
    fail_reason: 'the brush broke',
    image_url: '',
  });
  const [refused, waiting] = await drawings('');
  expect(refused).toMatchObject({ code: 24, status: 'FAILURE', fail_reason: 'banned', quota: 0 });
  expect(waiting).toMatchObject({ code: 0, status: '', progress: '0%', quota: 0 });
});

test('times filter in seconds and in milliseconds, and none of them means no bound', async () => {
  const seconds = submittedMs / 1_000;
  expect(await ids(`&start_timestamp=${seconds}&end_timestamp=${seconds}`)).toHaveLength(5);
  expect(await ids(`&start_timestamp=${submittedMs}`)).toHaveLength(5);
  expect(await ids(`&start_timestamp=${seconds + 1}`)).toEqual([]);
  expect(await ids(`&end_timestamp=${submittedMs - 1}`)).toEqual([]);
  expect(await ids('&start_timestamp=NaN&end_timestamp=')).toHaveLength(5);
  expect(await ids('&channel_id=9')).toEqual(['mj-c']);
  expect(await ids('&channel_id=9', ada)).toHaveLength(4);
});

test('pages are ten long and count from 0', async () => {
  const page = await api.data('/api/mj/', root, '?p=1');
  expect(page).toEqual([]);
  expect(await api.data('/api/mj/', root, '?p=-3')).toHaveLength(5);
});

test('music has its own list, in seconds', async () => {
  const list = (query: string) => api.data('/api/task/', root, `?p=0${query}`);
  expect(await list('&channel_id=5&platform=suno&action=MUSIC&status=IN_PROGRESS')).toMatchObject([
    {
      task_id: 'song-1',
      platform: 'suno',
      channel_id: 5,
      submit_time: submittedMs / 1_000,
      properties: { input: { mv: 'v3' } },
      data: [{ id: 1 }],
    },
  ]);
  for (const none of ['&channel_id=9', '&platform=mj', '&action=LYRICS', '&status=SUCCESS']) {
    expect(await list(none)).toEqual([]);
  }
  const own = await api.data('/api/task/self', ada, '?p=0');
  expect(own).toMatchObject([{ task_id: 'song-1', channel_id: 0 }]);
  expect(await api.data('/api/task/self', root, '?p=0')).toEqual([]);
});

test('only administrators read the lists of all users', async () => {
  for (const path of ['/api/mj/', '/api/task/']) {
    expect((await api.get(path, signedIn(ada))).body).toMatchObject({ success: false });
    expect((await api.get(path)).status).toBe(401);
  }
});

test('relays find tasks by number and owner, and what is open is named, oldest first', async () => {
  const find = (changes: Partial<FindTasks>) =>
    api.side.bus.request<FindTasks, FoundTasks>('task.find', {
      platform: 'mj',
      userId: null,
      upstreamIds: [],
      ...changes,
    });
  const found = async (changes: Partial<FindTasks>) =>
    (await find(changes)).tasks.map(({ taskId }) => taskId);
  expect(await found({ upstreamIds: ['mj-a', 'mj-c', 'gone', ''] })).toEqual(['c', 'a']);
  expect(await found({ upstreamIds: ['mj-a', 'mj-c'], userId: ada })).toEqual(['a']);
  expect(await found({ upstreamIds: ['mj-a'], platform: 'suno' })).toEqual([]);
  expect(await found({ taskIds: ['d'] })).toEqual(['d']);
  expect(await found({})).toEqual([]);
  const open = async (platform: string) =>
    (
      await api.side.bus.request<object, UnfinishedTasks>('task.unfinished', { platform, limit: 9 })
    ).tasks.map(({ taskId }) => taskId);
  expect(await open('mj')).toEqual(['c', 'd']);
  expect(await open('suno')).toEqual(['s']);
});
