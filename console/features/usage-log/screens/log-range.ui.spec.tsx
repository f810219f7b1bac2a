import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { anAdmin, cleanBrowser, renderConsole } from '../../../testing/render-console.tsx';
import { ok, stubApi } from '../../../testing/stub-api.ts';

cleanBrowser();

test('the calendar shows the chosen range, the last day to its end', async () => {
  stubApi({
    'GET /api/log/': ok({ items: [], page: 1, page_size: 10, total: 0 }),
    'GET /api/log/stat': ok({ quota: 0, rpm: 0, tpm: 0 }),
  });
  const first = new Date(2026, 1, 9).getTime() / 1_000;
  const { person } = await renderConsole({
    at: `/log?start_timestamp=${first}&end_timestamp=${first + 3_599}`,
    user: anAdmin,
  });
  await person.click(await screen.findByRole('button', { name: /^Time range/ }));
  const popup = within(await screen.findByRole('dialog', { name: 'Time range' }));
  expect(await popup.findByText('2026-02-09 00:00 – 2026-02-09 00:59')).toBeTruthy();
  const day = (number: string) => popup.getAllByText(number, { selector: 'button' })[0] as Element;
  await person.click(day('9'));
  await person.click(day('10'));
  await person.click(day('12'));
  expect(popup.getByText('2026-02-10 00:00 – 2026-02-12 23:59')).toBeTruthy();
  const times = popup.getAllByRole('spinbutton').map((field) => (field as HTMLInputElement).value);
  expect(times).toEqual(['0', '00', '23', '59']);
});
