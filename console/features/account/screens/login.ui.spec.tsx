import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { readLocal } from '../../../shared/local-values.ts';
import { anAdmin, aUser, cleanBrowser, renderConsole } from '../../../testing/render-console.tsx';
import { answered, ok, refused, statusWith, stubApi } from '../../../testing/stub-api.ts';

cleanBrowser();

const typeIn = async (person: Awaited<ReturnType<typeof renderConsole>>['person']) => {
  await person.type(await screen.findByLabelText('User name or email'), 'ada');
  await person.type(screen.getByLabelText('Password'), 'correct horse');
  await person.click(screen.getByRole('button', { name: 'Sign in' }));
};

test('after login the person is at their tokens, and no secret is kept in the browser', async () => {
  const { calls } = stubApi({
    // Beyond the contract, by which they are blank.
    'POST /api/user/login': () =>
      answered(200, ok({ ...aUser, password: 'x', access_token: 'secret' })),
    'GET /api/token/': ok([]),
  });
  const { person } = await renderConsole({ at: '/login' });
  const password = await screen.findByLabelText<HTMLInputElement>('Password');
  expect(password.type).toBe('password');
  await typeIn(person);
  await screen.findByRole('heading', { name: 'API keys' });
  expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({
    username: 'ada',
    password: 'correct horse',
  });
  expect(JSON.parse(readLocal('user') ?? '')).toEqual(aUser);
});

test.each(['User name or email', 'Password'])(
  '%s alone is refused before anything is sent',
  async (field) => {
    const { calls } = stubApi({});
    const { person } = await renderConsole({ at: '/login' });
    await person.type(await screen.findByLabelText(field), 'ada');
    await person.click(await screen.findByRole('button', { name: 'Sign in' }));
    expect(await screen.findByText('Please enter user name and password!')).toBeTruthy();
    expect(calls.every(({ method }) => method === 'GET')).toBe(true);
  },
);

test('a wrong password leaves the person where they are, with the reason', async () => {
  stubApi({ 'POST /api/user/login': refused('Wrong name or password') });
  const { person } = await renderConsole({ at: '/login' });
  await typeIn(person);
  expect(await screen.findByText('Wrong name or password')).toBeTruthy();
  expect(window.location.pathname).toBe('/login');
  expect(screen.getByLabelText<HTMLInputElement>('User name or email').value).toBe('ada');
});

test('the page leads to signing up and to a new password; in self-use mode only to the latter', async () => {
  stubApi({});
  const { unmount } = await renderConsole({ at: '/login' });
  const reset = await screen.findByRole('link', { name: /Forgot the password/ });
  expect(reset.getAttribute('href')).toBe('/reset');
  const register = screen.getByRole('link', { name: /No account/ });
  expect(register.getAttribute('href')).toBe('/register');
  unmount();
  stubApi({ 'GET /api/status': statusWith({ self_use_mode_enabled: true }) });
  await renderConsole({ at: '/login' });
  await screen.findByRole('link', { name: /Forgot the password/ });
  expect(screen.queryByRole('link', { name: /No account/ })).toBeNull();
});

test('a person who was signed out by the server is informed, once', async () => {
  stubApi({});
  await renderConsole({ at: '/login?expired=true' });
  expect(await screen.findByText(/Not signed in, or the login has expired/)).toBeTruthy();
  await waitFor(() => expect(window.location.search).toBe(''));
});

test('root with the default password is warned, and led to where it is changed', async () => {
  stubApi({ 'POST /api/user/login': ok(anAdmin) });
  const { person } = await renderConsole({ at: '/login' });
  await person.type(await screen.findByLabelText('User name or email'), 'root');
  await person.type(screen.getByLabelText('Password'), '123456');
  await person.click(screen.getByRole('button', { name: 'Sign in' }));
  expect(await screen.findByText('You are using the default password!')).toBeTruthy();
  await person.click(screen.getByRole('button', { name: 'Change it' }));
  await waitFor(() => expect(window.location.pathname).toBe('/personal'));
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

test('an unknown address shows that it is unknown', async () => {
  stubApi({});
  await renderConsole({ at: '/nowhere' });
  expect(await screen.findByText('This page does not exist')).toBeTruthy();
});
