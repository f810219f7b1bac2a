import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { rowAction } from '../../../testing/list-controls.ts';
import { anAdmin, cleanBrowser, renderConsole } from '../../../testing/render-console.tsx';
import { ok, stubApi } from '../../../testing/stub-api.ts';

cleanBrowser();

const ada = {
  id: 7,
  username: 'ada',
  display_name: 'Ada',
  role: 1,
  status: 1,
  group: 'default',
  quota: 1000,
  used_quota: 0,
  request_count: 0,
  DeletedAt: null,
};
const list = ok({ items: [ada], page: 1, page_size: 10, total: 1 });

test('quota is added to the balance that was seen', async () => {
  const { calls } = stubApi({
    'GET /api/user/': list,
    'GET /api/user/7': ok(ada),
    'PUT /api/user/': ok(),
  });
  const { person } = await renderConsole({ at: '/user', user: anAdmin });
  const line = (await screen.findByText('ada')).closest('tr') as HTMLElement;
  await person.click(await rowAction(person, line, 'Edit'));
  await person.type(await screen.findByLabelText('Add quota'), '500');
  await person.click(screen.getByRole('button', { name: 'Add' }));
  await person.type(screen.getByLabelText(/^Reason for/), 'a gift');
  await person.click(screen.getByRole('button', { name: 'Submit' }));
  await person.click(await screen.findByRole('button', { name: 'Adjust balance' }));
  await waitFor(() => expect(calls.some(({ method }) => method === 'PUT')).toBe(true));
  expect(calls.find(({ method }) => method === 'PUT')?.body).toMatchObject({
    id: 7,
    quota: 1500,
    quota_seen: 1000,
    password: '',
    reason: 'a gift',
  });
});

test('a user is deleted only after a confirmation that names what is lost', async () => {
  const { calls } = stubApi({ 'GET /api/user/': list, 'POST /api/user/manage': ok() });
  const { person } = await renderConsole({ at: '/user', user: anAdmin });
  const line = (await screen.findByText('ada')).closest('tr') as HTMLElement;
  await person.click(await rowAction(person, line, 'Delete'));
  expect(await screen.findByText(/Personal data become unreadable/)).toBeTruthy();
  expect(calls.some(({ method }) => method === 'POST')).toBe(false);
  await person.click(screen.getByRole('button', { name: 'OK' }));
  await waitFor(() =>
    expect(calls.map(({ body }) => body)).toContainEqual({ id: 7, action: 'delete' }),
  );
});
