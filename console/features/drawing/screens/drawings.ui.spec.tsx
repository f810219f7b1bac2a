import { fireEvent, screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { addFilter } from '../../../testing/list-controls.ts';
import { anAdmin, aUser, cleanBrowser, renderConsole } from '../../../testing/render-console.tsx';
import { ok, stubApi } from '../../../testing/stub-api.ts';

cleanBrowser();

const submitMs = Date.UTC(2026, 2, 4, 12);
const aDrawing = (changes: object = {}) => ({
  id: 1,
  created_at: submitMs / 1_000,
  code: 1,
  user_id: 7,
  action: 'IMAGINE',
  mj_id: 'mj-1',
  prompt: 'a gate at dawn',
  prompt_en: '',
  description: '',
  state: '',
  submit_time: submitMs,
  start_time: submitMs,
  finish_time: submitMs + 12_000,
  image_url: '',
  status: 'SUCCESS',
  progress: '100%',
  fail_reason: '',
  channel_id: 4,
  quota: 0,
  buttons: '',
  properties: '',
  ...changes,
});
const rowOf = async (text: string): Promise<HTMLElement> =>
  (await screen.findByText(text)).closest('tr') as HTMLElement;

test('a drawing shows when it was requested, how long it took, what it is and its state', async () => {
  stubApi({
    'GET /api/mj/self': ok([
      aDrawing(),
      aDrawing({
        id: 2,
        mj_id: 'mj-2',
        status: 'FAILURE',
        finish_time: submitMs + 61_000,
        fail_reason: 'the brush broke',
        prompt_en: 'in English',
      }),
    ]),
  });
  const { container } = await renderConsole({ at: '/midjourney', user: aUser });
  const row = within(await rowOf('mj-1'));
  for (const text of ['Imagine', 'Submitted', 'Success', '100%', 'a gate at dawn']) {
    expect(row.getByText(text)).toBeTruthy();
  }
  expect(row.getByText('12.0 s').closest('.tone-green')).toBeTruthy();
  expect(row.getByTitle(/^2026-03-04 /)).toBeTruthy();
  const failed = within(await rowOf('mj-2'));
  expect(failed.getByText('61.0 s').closest('.tone-red')).toBeTruthy();
  expect(failed.getByText('the brush broke')).toBeTruthy();
  expect(failed.getByText('in English')).toBeTruthy();
  expect(container.querySelectorAll('.bp6-intent-warning').length).toBe(1);
});

test('administrators filter by channel, task and time, and copy a channel by its tag', async () => {
  const copied = vi.fn(async () => undefined);
  const { calls } = stubApi({ 'GET /api/mj/': ok([aDrawing()]) });
  const { person } = await renderConsole({ at: '/midjourney', user: anAdmin });
  Object.defineProperty(navigator, 'clipboard', {
    value: { writeText: copied },
    configurable: true,
  });
  await person.click(await screen.findByRole('button', { name: '4' }));
  expect(copied).toHaveBeenCalledWith('4');
  const asked = () => calls.filter(({ path }) => path === '/api/mj/').at(-1)?.query;
  const span = Number(asked()?.get('end_timestamp')) - Number(asked()?.get('start_timestamp'));
  expect(span).toBe(30 * 86_400 + 3_600);
  await addFilter(person, 'Channel ID', '4');
  await addFilter(person, 'Task ID', 'mj-1');
  await vi.waitFor(() => expect(asked()?.get('mj_id')).toBe('mj-1'));
  expect(asked()?.get('channel_id')).toBe('4');
  expect(asked()?.get('p')).toBe('0');
});

test('a full text and a picture open over the list', async () => {
  const failed = { fail_reason: 'the brush broke', image_url: '/mj/image/mj-1' };
  stubApi({ 'GET /api/mj/self': ok([aDrawing(failed)]) });
  const { person } = await renderConsole({ at: '/midjourney', user: aUser });
  await person.click(await screen.findByRole('button', { name: 'the brush broke' }));
  expect(within(await screen.findByRole('dialog')).getByText('the brush broke')).toBeTruthy();
  await person.keyboard('{Escape}');
  await person.click(screen.getByRole('button', { name: 'View' }));
  const picture = await screen.findByRole('img', { name: 'Picture of task mj-1' });
  expect(picture.getAttribute('src')).toBe('/mj/image/mj-1');
  await person.click(screen.getByRole('button', { name: 'Larger' }));
  expect(picture.style.width).toBe('200%');
});

test('a picture that cannot be loaded shows an error, and is tried again when it is opened again', async () => {
  stubApi({ 'GET /api/mj/self': ok([aDrawing({ image_url: '/mj/image/mj-1' })]) });
  const { person } = await renderConsole({ at: '/midjourney', user: aUser });
  await person.click(await screen.findByRole('button', { name: 'View' }));
  fireEvent.error(await screen.findByRole('img', { name: 'Picture of task mj-1' }));
  expect(await screen.findByText(/^The picture could not be loaded/)).toBeTruthy();
  expect(screen.queryByRole('img', { name: 'Picture of task mj-1' })).toBeNull();
  expect(screen.getByRole('button', { name: 'Larger' })).toHaveProperty('disabled', true);
  await person.keyboard('{Escape}');
  await person.click(screen.getByRole('button', { name: 'View' }));
  expect(await screen.findByRole('img', { name: 'Picture of task mj-1' })).toBeTruthy();
});

test('administrators alone see that callbacks are off', async () => {
  stubApi({ 'GET /api/mj/': ok([]), 'GET /api/mj/self': ok([]) });
  const { unmount } = await renderConsole({ at: '/midjourney', user: anAdmin });
  expect(await screen.findByText(/Drawing callbacks are off/)).toBeTruthy();
  unmount();
  await renderConsole({ at: '/midjourney', user: aUser });
  expect(await screen.findByText('No drawing tasks in this time')).toBeTruthy();
  expect(screen.queryByText(/Drawing callbacks are off/)).toBeNull();
});

test('every action, status and submit result has its own label', async () => {
  const labels = {
    IMAGINE: '绘图',
    UPSCALE: '放大',
    VARIATION: '变换',
    HIGH_VARIATION: '强变换',
    LOW_VARIATION: '弱变换',
    PAN: '平移',
    DESCRIBE: '图生文',
    BLEND: '图混合',
    UPLOAD: '上传文件',
    SHORTEN: '缩词',
    REROLL: '重绘',
    INPAINT: '局部重绘-提交',
    ZOOM: '变焦',
    CUSTOM_ZOOM: '自定义变焦-提交',
    MODAL: '窗口处理',
    SWAP_FACE: '换脸',
    NEW: '未知',
  };
  const statuses = ['NOT_START', 'SUBMITTED', 'IN_PROGRESS', 'SUCCESS', 'FAILURE', 'MODAL', 'X'];
  const codes = [0, 1, 21, 22, 24];
  const rows = Object.keys(labels).map((action, id) =>
    aDrawing({
      id,
      mj_id: `mj-${action}`,
      action,
      status: statuses[id % statuses.length],
      code: codes[id % codes.length],
    }),
  );
  stubApi({ 'GET /api/mj/self': ok(rows) });
  await renderConsole({ at: '/midjourney', user: aUser, language: 'zh' });
  for (const [action, label] of Object.entries(labels)) {
    expect(within(await rowOf(`mj-${action}`)).getAllByText(label).length).toBeGreaterThan(0);
  }
  for (const label of ['未启动', '队列中', '执行中', '成功', '失败', '窗口等待']) {
    expect(screen.getAllByText(label).length).toBeGreaterThan(0);
  }
  for (const label of ['未提交', '已提交', '等待中', '重复提交']) {
    expect(screen.getAllByText(label).length).toBeGreaterThan(0);
  }
});
