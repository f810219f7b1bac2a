import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { aSelf } from '../../../testing/account-examples.ts';
import { aUser, cleanBrowser, renderConsole } from '../../../testing/render-console.tsx';
import { ok, stubApi } from '../../../testing/stub-api.ts';

cleanBrowser();

const reads = {
  'GET /api/user/self': ok(aSelf),
  'GET /api/user/models': ok([]),
  'GET /api/user/aff': ok('x9Kz'),
};

test('the account is deleted only by its own name', async () => {
  const { calls } = stubApi({ ...reads, 'DELETE /api/user/self': ok() });
  const { person } = await renderConsole({ at: '/personal', user: aUser });
  await person.click(await screen.findByRole('button', { name: 'Delete my account' }));
  await person.type(await screen.findByLabelText(/Type your user name ada/), 'bob');
  await person.click(screen.getByRole('button', { name: 'Delete' }));
  expect(calls.some(({ method }) => method === 'DELETE')).toBe(false);
  await person.clear(screen.getByLabelText(/Type your user name ada/));
  await person.type(screen.getByLabelText(/Type your user name ada/), 'ada');
  await person.click(screen.getByRole('button', { name: 'Delete' }));
  await waitFor(() => expect(window.location.pathname).toBe('/login'));
});

test('a webhook without TLS is not saved', async () => {
  const { calls } = stubApi({ ...reads, 'PUT /api/user/setting': ok() });
  const { person } = await renderConsole({ at: '/personal', user: aUser });
  await person.click(await screen.findByLabelText('By webhook'));
  await person.type(screen.getByLabelText('Webhook address'), 'http://plain.test');
  await person.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('The webhook address must begin with https://')).toBeTruthy();
  expect(calls.some(({ method }) => method === 'PUT')).toBe(false);
});

test('the invitation link carries the code of the person', async () => {
  stubApi(reads);
  await renderConsole({ at: '/personal', user: aUser });
  const link = await screen.findByLabelText<HTMLInputElement>('Invitation link');
  await waitFor(() => expect(link.value).toContain('/register?aff=x9Kz'));
});
