import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { rowAction } from '../../../testing/list-controls.ts';
import { aCodeRow } from '../../../testing/redemption-examples.ts';
import { anAdmin, cleanBrowser, renderConsole } from '../../../testing/render-console.tsx';
import { ok, stubApi } from '../../../testing/stub-api.ts';

cleanBrowser();

const row = { ...aCodeRow, id: 3, key: 'abc123' };
const lineOf = (name: string) => screen.getByText(name).closest('tr') as HTMLElement;
const list = (rows: readonly unknown[]) =>
  ok({ items: rows, page: 1, page_size: 10, total: rows.length });

test('new codes without a name are called by their worth and offered as a file', async () => {
  const { calls } = stubApi({
    'GET /api/redemption/': list([]),
    'POST /api/redemption/': ok(['code-1', 'code-2']),
  });
  const { person } = await renderConsole({ at: '/redemption', user: anAdmin });
  await person.click((await screen.findAllByRole('button', { name: 'Add codes' }))[0] as Element);
  await person.clear(await screen.findByLabelText('How many'));
  await person.type(screen.getByLabelText('How many'), '2');
  await person.click(screen.getByRole('button', { name: 'Submit' }));
  expect(await screen.findByText(/code-1/)).toBeTruthy();
  const sent = calls.find(({ method }) => method === 'POST');
  expect(sent?.body).toEqual({ name: '$0.20', quota: 100_000, count: 2 });
});

test('an unused code can be disabled and edited, a used one neither', async () => {
  const { calls } = stubApi({
    'GET /api/redemption/': list([row, { ...row, id: 4, name: 'gone', status: 3 }]),
    'PUT /api/redemption/': ok(),
  });
  const { person } = await renderConsole({ at: '/redemption', user: anAdmin });
  await screen.findByText('spring');
  await person.click(await rowAction(person, lineOf('spring'), 'Disable'));
  await waitFor(() => expect(calls.some(({ method }) => method === 'PUT')).toBe(true));
  const sent = calls.find(({ method }) => method === 'PUT');
  expect(sent?.query.get('status_only')).toBe('true');
  expect(sent?.body).toEqual({ id: 3, status: 2 });
  const enable = await rowAction(person, lineOf('gone'), 'Enable');
  expect(enable.getAttribute('aria-disabled')).toBe('true');
});
