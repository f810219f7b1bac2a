import { screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { aUser, cleanBrowser, renderConsole } from '../../../testing/render-console.tsx';
import { ok, refused, statusWith, stubApi } from '../../../testing/stub-api.ts';

cleanBrowser();

const self = ok({ ...aUser, quota: 1_000_000 });

test('a code is redeemed and the dialog shows its amount', async () => {
  const { calls } = stubApi({ 'GET /api/user/self': self, 'POST /api/user/topup': ok(500_000) });
  const { person } = await renderConsole({ at: '/topup', user: aUser });
  await person.type(await screen.findByLabelText('Redemption code'), ' abc123 ');
  await person.click(screen.getByRole('button', { name: 'Redeem' }));
  expect(screen.getByText('$2.00')).toBeTruthy();
  expect(await screen.findByText('500,000 units ($1.00) were added.')).toBeTruthy();
  expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({ key: 'abc123' });
  const line = screen.getByRole('link', { name: 'Show in the ledger' });
  expect(line.getAttribute('href')).toBe('/ledger?kind=QuotaGranted');
  await person.click(screen.getByRole('button', { name: 'Done' }));
  await waitFor(() => expect(screen.queryByText('500,000 units ($1.00) were added.')).toBeNull());
});

test('a code that was used before is refused in the words of the server', async () => {
  stubApi({ 'GET /api/user/self': self, 'POST /api/user/topup': refused('Already used') });
  const { person } = await renderConsole({ at: '/topup', user: aUser });
  await person.type(await screen.findByLabelText('Redemption code'), 'abc123');
  await person.click(screen.getByRole('button', { name: 'Redeem' }));
  expect(await screen.findByText('Already used')).toBeTruthy();
});

test('without a code no request is sent', async () => {
  const { calls } = stubApi({ 'GET /api/user/self': self });
  const { person } = await renderConsole({ at: '/topup', user: aUser });
  await person.click(await screen.findByRole('button', { name: 'Redeem' }));
  expect(await screen.findByText('Enter a code!')).toBeTruthy();
  expect(calls.some(({ path }) => path === '/api/user/topup')).toBe(false);
});

test('codes are got at the address that the super admin has set, if there is one', async () => {
  const open = vi.spyOn(window, 'open').mockReturnValue(null);
  const link = 'https://shop.example.com/codes';
  stubApi({
    'GET /api/user/self': self,
    'GET /api/status': statusWith({ top_up_link: link }),
  });
  const { person, unmount } = await renderConsole({ at: '/topup', user: aUser });
  await person.click(await screen.findByRole('button', { name: 'Get codes' }));
  expect(open).toHaveBeenCalledWith(link, '_blank', 'noopener');
  unmount();
  stubApi({ 'GET /api/user/self': self });
  const again = await renderConsole({ at: '/topup', user: aUser });
  await again.person.click(await screen.findByRole('button', { name: 'Get codes' }));
  expect(await screen.findByText('The super admin has set no top-up link!')).toBeTruthy();
  expect(open).toHaveBeenCalledTimes(1);
  open.mockRestore();
});
