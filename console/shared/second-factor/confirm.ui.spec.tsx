import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { aSelf } from '../../testing/account-examples.ts';
import { aUser, cleanBrowser, renderConsole } from '../../testing/render-console.tsx';
import { answered, ok, refused, type StubRoutes, stubApi } from '../../testing/stub-api.ts';

cleanBrowser();

const asked = { success: false, code: 'auth.second-factor-required', message: 'Confirm first' };

/** The personal page, where issuing an access token requires the second factor again. */
const openPersonal = async (routes: StubRoutes = {}) => {
  let isConfirmed = false;
  const { calls } = stubApi({
    'GET /api/user/self': ok(aSelf),
    'GET /api/user/models': ok([]),
    'GET /api/user/aff': ok('x9Kz'),
    'GET /api/user/sessions': ok([]),
    'GET /api/user/token': () => (isConfirmed ? ok('new-access-token') : answered(403, asked)),
    'POST /api/user/second_factors/challenge': ok({
      methods: ['totp', 'recovery-code'],
      token: 'token-1',
    }),
    'POST /api/user/second_factors/confirm': () => {
      isConfirmed = true;
      return ok();
    },
    ...routes,
  });
  const { person } = await renderConsole({ at: '/personal', user: aUser });
  await person.click(await screen.findByRole('button', { name: 'Generate access token' }));
  await person.click(await screen.findByRole('button', { name: 'OK' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Confirm it is you' }));
  const sent = (path: string) => calls.filter((call) => call.path === path);
  return { person, dialog, sent };
};

test('a call that requires the second factor again is repeated once it was given', async () => {
  const { person, dialog, sent } = await openPersonal();
  await person.type(await dialog.findByLabelText('Code'), '123456');
  await person.click(dialog.getByRole('button', { name: 'Confirm' }));
  expect(await screen.findByDisplayValue('new-access-token')).toBeTruthy();
  expect(sent('/api/user/token')).toHaveLength(2);
  expect(sent('/api/user/second_factors/confirm').map(({ body }) => body)).toEqual([
    { method: 'totp', token: 'token-1', code: '123456' },
  ]);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('a wrong code is reported at the field, and an empty one is not sent', async () => {
  const { person, dialog, sent } = await openPersonal({
    'POST /api/user/second_factors/confirm': refused('The code is not right'),
  });
  await person.click(await dialog.findByRole('button', { name: 'Confirm' }));
  expect((await dialog.findByRole('alert')).textContent).toBe('Fill this in first');
  expect(sent('/api/user/second_factors/confirm')).toEqual([]);
  await person.click(dialog.getByRole('button', { name: 'Use a recovery code' }));
  await person.type(dialog.getByLabelText('Recovery code'), 'abcde-fghij');
  await person.click(dialog.getByRole('button', { name: 'Confirm' }));
  expect((await dialog.findByRole('alert')).textContent).toBe('The code is not right');
});

test('closing the dialog gives the call up, and reports why it was not made', async () => {
  const { person, dialog, sent } = await openPersonal();
  await person.click(await dialog.findByRole('button', { name: 'Cancel' }));
  expect(await screen.findByText('Confirm first')).toBeTruthy();
  expect(sent('/api/user/token')).toHaveLength(1);
});
