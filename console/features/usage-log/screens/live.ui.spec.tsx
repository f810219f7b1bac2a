import { screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { openLiveLine } from '../../../testing/live-line.ts';
import { aUser, cleanBrowser, renderConsole } from '../../../testing/render-console.tsx';
import { ok, stubApi } from '../../../testing/stub-api.ts';

cleanBrowser();

const routes = {
  'GET /api/log/self': ok({ items: [], page: 1, page_size: 10, total: 0 }),
  'GET /api/log/self/stat': ok({ quota: 0, rpm: 0, tpm: 0, token: 0 }),
};

test('the log reads again when the server reports a change; paused, it disconnects', async () => {
  const line = openLiveLine();
  const waiting = [line, openLiveLine()];
  const { calls } = stubApi({ ...routes, 'GET /api/live': () => waiting.shift()?.response });
  const { person } = await renderConsole({ at: '/log', user: aUser });
  const asked = () => calls.filter(({ path }) => path === '/api/log/self').length;
  await waitFor(() => expect(asked()).toBe(1));
  line.moved('channel-list');
  line.moved('usage-log');
  await waitFor(() => expect(asked()).toBe(2));
  await person.click(screen.getByRole('button', { name: 'Pause updates' }));
  await person.click(screen.getByRole('button', { name: 'Resume updates' }));
  // It had hung up, so it calls again.
  await waitFor(() => expect(calls.filter(({ path }) => path === '/api/live')).toHaveLength(2));
});

test('a hidden page sends no request until it is visible again', async () => {
  const line = openLiveLine();
  const { calls } = stubApi({ ...routes, 'GET /api/live': () => line.response });
  await renderConsole({ at: '/log', user: aUser });
  const asked = () => calls.filter(({ path }) => path === '/api/log/self').length;
  await waitFor(() => expect(asked()).toBe(1));
  const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
  line.moved('usage-log');
  // Longer than the gap that a visible page waits.
  await new Promise((resolve) => setTimeout(resolve, 3_500));
  expect(asked()).toBe(1);
  hidden.mockRestore();
  document.dispatchEvent(new Event('visibilitychange'));
  await waitFor(() => expect(asked()).toBe(2));
});
