import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { nowSeconds } from '../../../shared/format/time.ts';
import { aChannelRow } from '../../../testing/channel-examples.ts';
import { anAdmin, cleanBrowser, renderConsole } from '../../../testing/render-console.tsx';
import { ok, stubApi } from '../../../testing/stub-api.ts';

cleanBrowser();
afterEach(() => {
  vi.useRealTimers();
});

const aChannel = (id: number, name: string, test_time: number) => ({
  ...aChannelRow,
  id,
  name,
  test_time,
});

test('a test of all channels that has ended names those without a result', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const later = nowSeconds() + 3600;
  stubApi({
    'GET /api/channel/': ok([
      aChannel(1, 'main', later),
      aChannel(2, 'silent', 0),
      aChannel(3, 'spare', 0),
    ]),
    'GET /api/channel/test': ok(),
    'GET /api/group/': ok(['default']),
  });
  await renderConsole({ at: '/channel', user: anAdmin });
  const person = userEvent.setup({ advanceTimers: (ms) => vi.advanceTimersByTime(ms) });
  await person.click(await screen.findByRole('button', { name: 'All channels' }));
  await person.click(await screen.findByRole('menuitem', { name: 'Test all' }));
  await person.click(await screen.findByRole('button', { name: 'OK' }));
  await screen.findByText('Testing: 1 / 3');
  await vi.advanceTimersByTimeAsync(21_000);
  await screen.findByText('Test over: 1 of 3 channels have a new result');
  expect(screen.getByText('None from: silent, spare')).toBeTruthy();
});
