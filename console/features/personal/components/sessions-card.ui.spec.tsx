import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { storedUser } from '../../../shared/session.ts';
import { aSelf } from '../../../testing/account-examples.ts';
import { aUser, cleanBrowser, renderConsole } from '../../../testing/render-console.tsx';
import { ok, type StubRoutes, stubApi } from '../../../testing/stub-api.ts';
import type { UserSession } from '../api/sessions.ts';

cleanBrowser();

const aSession = (nth: number, changes: Partial<UserSession> = {}): UserSession => ({
  id: `session-${nth}`,
  method: 'password',
  device: `Browser ${nth}`,
  address: `192.0.2.${nth}`,
  opened_at: 1_767_225_600,
  last_used_at: 1_767_225_600 + nth,
  current: nth === 1,
  ...changes,
});

const open = async (sessions: readonly UserSession[], routes: StubRoutes = {}) => {
  const { calls } = stubApi({
    'GET /api/user/self': ok(aSelf),
    'GET /api/user/models': ok([]),
    'GET /api/user/aff': ok('x9Kz'),
    'GET /api/user/sessions': ok(sessions),
    ...routes,
  });
  const { person } = await renderConsole({ at: '/personal', user: aUser });
  const list = await screen.findByRole('list', { name: 'Signed-in devices' });
  const deleted = () => calls.filter(({ method }) => method === 'DELETE').map(({ path }) => path);
  return { person, list: within(list), deleted, calls };
};

test('the own device is first and marked, then those that were used last', async () => {
  const { list } = await open([aSession(3), aSession(2), aSession(1)]);
  const rows = list.getAllByRole('listitem');
  expect(rows.map((row) => row.getAttribute('aria-label'))).toEqual([
    'Browser 1',
    'Browser 3',
    'Browser 2',
  ]);
  expect(within(rows[0] as HTMLElement).getByText('This device')).toBeTruthy();
  expect(within(rows[0] as HTMLElement).queryByRole('button')).toBeNull();
  expect(within(rows[1] as HTMLElement).getByText('192.0.2.3')).toBeTruthy();
  expect(within(rows[1] as HTMLElement).getByText(/^Last used 20\d\d-/)).toBeTruthy();
});

test('a device without a description is unknown, and many fold', async () => {
  const many = [2, 3, 4, 5, 6, 7, 8].map((nth) => aSession(nth));
  const { person, list } = await open([...many, aSession(9, { device: '' })]);
  expect(list.getAllByRole('listitem')).toHaveLength(5);
  expect(list.getByText('Unknown device')).toBeTruthy();
  await person.click(screen.getByRole('button', { name: '3 more' }));
  expect(list.getAllByRole('listitem')).toHaveLength(8);
});

test('another device is signed out once it was confirmed', async () => {
  const { person, list, deleted } = await open([aSession(1), aSession(2)], {
    'DELETE /api/user/sessions/session-2': ok(),
  });
  await person.click(list.getByRole('button', { name: 'Sign out' }));
  expect(deleted()).toEqual([]);
  const question = within(await screen.findByRole('alertdialog'));
  await person.click(question.getByRole('button', { name: 'OK' }));
  await waitFor(() => expect(deleted()).toEqual(['/api/user/sessions/session-2']));
  expect(await screen.findByText('The device was signed out')).toBeTruthy();
});

test('logging out everywhere keeps this device, unless the person includes it', async () => {
  const { person, deleted, calls } = await open([aSession(1), aSession(2)], {
    'DELETE /api/user/sessions': ok(),
  });
  const ask = async () => {
    await person.click(screen.getByRole('button', { name: 'Sign out everywhere' }));
    return within(await screen.findByRole('dialog', { name: 'Sign out everywhere' }));
  };
  const first = await ask();
  await person.click(first.getByRole('button', { name: 'Sign out everywhere' }));
  await waitFor(() => expect(deleted()).toEqual(['/api/user/sessions']));
  expect(storedUser()).not.toBeNull();
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  const second = await ask();
  await person.click(second.getByLabelText('Stay signed in on this device'));
  await person.click(second.getByRole('button', { name: 'Sign out everywhere' }));
  await waitFor(() => expect(window.location.pathname).toBe('/login'));
  const kept = calls.filter(({ method }) => method === 'DELETE').map(({ query }) => String(query));
  expect(kept).toEqual(['keep_current=true', '']);
  expect(storedUser()).toBeNull();
});
