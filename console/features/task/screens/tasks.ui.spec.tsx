import { screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { addFilter } from '../../../testing/list-controls.ts';
import { anAdmin, aUser, cleanBrowser, renderConsole } from '../../../testing/render-console.tsx';
import { ok, stubApi } from '../../../testing/stub-api.ts';

cleanBrowser();

const submitted = Date.UTC(2026, 2, 4, 12) / 1_000;
const aSong = (changes: object = {}) => ({
  id: 1,
  created_at: submitted,
  updated_at: submitted,
  task_id: 'song-1',
  platform: 'suno',
  user_id: 7,
  channel_id: 5,
  quota: 50_000,
  action: 'MUSIC',
  status: 'SUCCESS',
  fail_reason: '',
  submit_time: submitted,
  start_time: submitted,
  finish_time: submitted + 61,
  progress: '100%',
  properties: null,
  data: [{ id: 'clip-1' }],
  ...changes,
});
const rowOf = async (text: string): Promise<HTMLElement> =>
  (await screen.findByText(text)).closest('tr') as HTMLElement;

test('a song shows its start and end, how long it took, and its state', async () => {
  stubApi({
    'GET /api/task/self': ok([
      aSong(),
      aSong({ id: 2, task_id: 'song-2', action: 'LYRICS', finish_time: 0, progress: 'soon' }),
      aSong({ id: 3, task_id: 'song-3', status: 'FAILURE', fail_reason: 'the string broke' }),
    ]),
  });
  await renderConsole({ at: '/task', user: aUser });
  const row = within(await rowOf('song-1'));
  for (const text of ['Suno', 'Music', 'Success', '100%']) expect(row.getByText(text)).toBeTruthy();
  expect(row.getByText('61.0 s').closest('.tone-red')).toBeTruthy();
  expect(row.getAllByTitle(/^2026-03-04 /)).toHaveLength(2);
  expect(row.getByRole('progressbar')).toBeTruthy();
  const open = within(await rowOf('song-2'));
  expect(open.getByText('Lyrics')).toBeTruthy();
  expect(open.getByText('soon')).toBeTruthy();
  expect(within(await rowOf('song-3')).getByText('the string broke')).toBeTruthy();
});

test('administrators filter by channel, task and time; the list begins with today', async () => {
  const { calls } = stubApi({ 'GET /api/task/': ok([aSong()]) });
  const { person } = await renderConsole({ at: '/task', user: anAdmin });
  const asked = () => calls.filter(({ path }) => path === '/api/task/').at(-1)?.query;
  expect(await screen.findByRole('button', { name: '5' })).toBeTruthy();
  expect(asked()?.get('start_timestamp')).toBe(String(new Date().setHours(0, 0, 0, 0) / 1000));
  await addFilter(person, 'Channel ID', '5');
  await addFilter(person, 'Task ID', 'song-1');
  await vi.waitFor(() => expect(asked()?.get('task_id')).toBe('song-1'));
  expect(asked()?.get('channel_id')).toBe('5');
  expect(Number(asked()?.get('end_timestamp'))).toBeGreaterThan(0);
});

test('a click on the task id shows all its facts', async () => {
  stubApi({ 'GET /api/task/self': ok([aSong()]) });
  const { person } = await renderConsole({ at: '/task', user: aUser });
  await person.click(await screen.findByRole('button', { name: 'song-1' }));
  expect(within(await screen.findByRole('dialog')).getByText(/"clip-1"/)).toBeTruthy();
});

test('every status has its own label, and none means that it is being submitted', async () => {
  const labels = {
    '': '正在提交',
    SUCCESS: '成功',
    NOT_START: '未启动',
    SUBMITTED: '队列中',
    IN_PROGRESS: '执行中',
    FAILURE: '失败',
    QUEUED: '排队中',
    UNKNOWN: '未知',
  };
  const rows = Object.keys(labels).map((status, id) =>
    aSong({ id, task_id: `song-${id}`, status }),
  );
  stubApi({ 'GET /api/task/self': ok(rows) });
  await renderConsole({ at: '/task', user: aUser, language: 'zh' });
  for (const [id, label] of Object.values(labels).entries()) {
    expect(within(await rowOf(`song-${id}`)).getByText(label)).toBeTruthy();
  }
});

test('a video shows its platform and how long it is, and other work has no length', async () => {
  const asked = { model: 'sora-2', seconds: 12, size: '1280x720', remixedFrom: null };
  const aVideo = { platform: 'video', action: 'VIDEO', properties: asked, data: null };
  stubApi({
    'GET /api/task/self': ok([
      aSong({ ...aVideo, task_id: 'video_1' }),
      aSong({ ...aVideo, id: 2, task_id: 'video_2', action: 'REMIX', properties: null }),
      aSong({ id: 3 }),
    ]),
  });
  await renderConsole({ at: '/task', user: aUser });
  const row = within(await rowOf('video_1'));
  expect(row.getAllByText('Video')).toHaveLength(2);
  expect(row.getByText('12 s')).toBeTruthy();
  const without = within(await rowOf('video_2'));
  expect(without.getByText('Remix')).toBeTruthy();
  expect(without.queryByText('12 s')).toBeNull();
  const song = (await rowOf('song-1')).querySelector('[data-label="Length"]');
  expect(song?.textContent).toBe('');
});
