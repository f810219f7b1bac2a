import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { aUser, cleanBrowser, renderConsole } from '../../../testing/render-console.tsx';
import { ok, refused, stubApi } from '../../../testing/stub-api.ts';

cleanBrowser();

const self = ok({ ...aUser, quota: 1_000_000 });

test('a code is redeemed and the dialog says how much it brought', async () => {
  const { calls } = stubApi({ 'GET /api/user/self': self, 'POST /api/user/topup': ok(500_000) });
  const { person } = await renderConsole({ at: '/topup', user: aUser });
  await person.type(await screen.findByLabelText('Redemption code'), ' abc123 ');
  await person.click(screen.getByRole('button', { name: 'Redeem' }));
  expect(await screen.findByText('500,000 units ($1.00) were added.')).toBeTruthy();
  expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({ key: 'abc123' });
});

test('a code that was used before is refused in the words of the server', async () => {
  stubApi({ 'GET /api/user/self': self, 'POST /api/user/topup': refused('Already used') });
  const { person } = await renderConsole({ at: '/topup', user: aUser });
  await person.type(await screen.findByLabelText('Redemption code'), 'abc123');
  await person.click(screen.getByRole('button', { name: 'Redeem' }));
  expect(await screen.findByText('Already used')).toBeTruthy();
});
