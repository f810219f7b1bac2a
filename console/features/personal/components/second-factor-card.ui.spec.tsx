import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { aSelf } from '../../../testing/account-examples.ts';
import { aUser, cleanBrowser, renderConsole } from '../../../testing/render-console.tsx';
import { ok, refused, type StubRoutes, stubApi } from '../../../testing/stub-api.ts';
import type { SecondFactorList } from '../api/second-factors.ts';

cleanBrowser();

const none: SecondFactorList = {
  totp: null,
  passkeys: [],
  recovery_codes_left: 0,
  required: false,
};
const phone = { id: 'key-1', name: 'Phone', added_at: 1_767_225_600, used_at: 0 };

const open = async (factors: SecondFactorList, routes: StubRoutes = {}) => {
  const { calls } = stubApi({
    'GET /api/user/self': ok(aSelf),
    'GET /api/user/models': ok([]),
    'GET /api/user/aff': ok('x9Kz'),
    'GET /api/user/sessions': ok([]),
    'GET /api/user/second_factors': ok(factors),
    ...routes,
  });
  const { person } = await renderConsole({ at: '/personal', user: aUser });
  await screen.findByRole('button', { name: 'Add passkey' });
  const sent = (method: string) => calls.filter((call) => call.method === method);
  return { person, sent };
};

test('an administrator who needs one is informed', async () => {
  await open({ ...none, required: true });
  expect(screen.getByText(/This site demands a second factor/)).toBeTruthy();
});

test('the app is enrolled by a code, and the recovery codes are shown', async () => {
  const { person, sent } = await open(none, {
    'POST /api/user/second_factors/totp': ok({
      token: 'token-1',
      secret: 'ABCDEFGH',
      uri: 'otpauth://totp/x',
    }),
    'PUT /api/user/second_factors/totp': ok({ recovery_codes: ['aaaaa-bbbbb', 'ccccc-ddddd'] }),
  });
  await person.click(screen.getByRole('button', { name: 'Add authenticator app' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Add authenticator app' }));
  expect(dialog.getByText('ABCD EFGH')).toBeTruthy();
  await person.type(dialog.getByLabelText('Six digits that the app shows'), '123456');
  await person.click(dialog.getByRole('button', { name: 'Enable' }));
  const codes = await screen.findByRole('list', { name: 'Recovery codes' });
  expect(
    within(codes)
      .getAllByRole('listitem')
      .map((item) => item.textContent),
  ).toEqual(['aaaaa-bbbbb', 'ccccc-ddddd']);
  expect(sent('PUT').map(({ body }) => body)).toEqual([{ token: 'token-1', code: '123456' }]);
});

test('a wrong code is reported in the dialog', async () => {
  const { person } = await open(none, {
    'POST /api/user/second_factors/totp': ok({ token: 't', secret: 'ABCD', uri: 'otpauth://x' }),
    'PUT /api/user/second_factors/totp': refused('The code is not right'),
  });
  await person.click(screen.getByRole('button', { name: 'Add authenticator app' }));
  const dialog = within(await screen.findByRole('dialog'));
  await person.type(dialog.getByLabelText('Six digits that the app shows'), '1');
  await person.click(dialog.getByRole('button', { name: 'Enable' }));
  expect((await dialog.findByRole('alert')).textContent).toBe('The code is not right');
});

test('a passkey is renamed, and removed once that was confirmed', async () => {
  const { person, sent } = await open(
    { ...none, passkeys: [phone], recovery_codes_left: 2 },
    {
      'PUT /api/user/second_factors/passkeys/key-1': ok(),
      'DELETE /api/user/second_factors/passkeys/key-1': ok(),
    },
  );
  const row = within(screen.getByRole('listitem', { name: 'Phone' }));
  await person.click(row.getByRole('button', { name: 'Rename' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Rename passkey' }));
  await person.clear(dialog.getByLabelText('Name'));
  await person.type(dialog.getByLabelText('Name'), 'Old phone');
  await person.click(dialog.getByRole('button', { name: 'Save' }));
  await person.click(row.getByRole('button', { name: 'Remove' }));
  await person.click(await screen.findByRole('button', { name: 'OK' }));
  await screen.findByText('Removed');
  expect(sent('PUT').map(({ body }) => body)).toEqual([{ name: 'Old phone' }]);
  expect(sent('DELETE')).toHaveLength(1);
});
