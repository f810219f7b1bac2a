import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { readLocal } from '../../../shared/local-values.ts';
import { aUser, cleanBrowser, renderConsole } from '../../../testing/render-console.tsx';
import { ok, refused, statusWith, stubApi } from '../../../testing/stub-api.ts';

cleanBrowser();

const typeIn = async (person: Awaited<ReturnType<typeof renderConsole>>['person']) => {
  await person.type(await screen.findByLabelText('User name or email'), 'ada');
  await person.type(screen.getByLabelText('Password'), 'correct horse');
  await person.click(screen.getByRole('button', { name: 'Sign in' }));
};

test('after login the person is at their tokens, and no secret is kept in the browser', async () => {
  const { calls } = stubApi({
    'POST /api/user/login': ok({ ...aUser, password: 'x', access_token: 'secret' }),
    'GET /api/token/': ok([]),
  });
  const { person } = await renderConsole({ at: '/login' });
  await typeIn(person);
  await screen.findByRole('heading', { name: 'API tokens' });
  expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({
    username: 'ada',
    password: 'correct horse',
  });
  expect(JSON.parse(readLocal('user') ?? '')).toEqual(aUser);
});

test('an empty field is refused before anything is sent', async () => {
  const { calls } = stubApi({});
  const { person } = await renderConsole({ at: '/login' });
  await person.click(await screen.findByRole('button', { name: 'Sign in' }));
  expect(await screen.findByText('Please enter user name and password!')).toBeTruthy();
  expect(calls.every(({ method }) => method === 'GET')).toBe(true);
});

test('a wrong password leaves the person where they are, with the reason', async () => {
  stubApi({ 'POST /api/user/login': refused('Wrong name or password') });
  const { person } = await renderConsole({ at: '/login' });
  await typeIn(person);
  expect(await screen.findByText('Wrong name or password')).toBeTruthy();
  expect(window.location.pathname).toBe('/login');
});

test('a page that needs a login sends a stranger to it', async () => {
  stubApi({});
  await renderConsole({ at: '/log' });
  expect(await screen.findByRole('heading', { name: 'Sign in' })).toBeTruthy();
});

test('until the site is set up, every page is the set-up page', async () => {
  stubApi({
    'GET /api/status': statusWith({ setup: false }),
    'GET /api/setup': ok({ status: false, root_init: false, database_type: 'postgres' }),
  });
  await renderConsole({ at: '/token', user: aUser });
  expect(await screen.findByRole('heading', { name: 'Set up this site' })).toBeTruthy();
  await waitFor(() => expect(window.location.pathname).toBe('/setup'));
});

test('an ordinary user does not see the pages of administrators', async () => {
  stubApi({ 'GET /api/token/': ok([]) });
  await renderConsole({ at: '/channel', user: aUser });
  expect(await screen.findByText('No permission')).toBeTruthy();
  expect(screen.queryByRole('link', { name: 'Channels' })).toBeNull();
});

test('an unknown address says so', async () => {
  stubApi({});
  await renderConsole({ at: '/nowhere' });
  expect(await screen.findByText('This page does not exist')).toBeTruthy();
});
