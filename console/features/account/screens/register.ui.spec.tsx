import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { readLocal } from '../../../shared/local-values.ts';
import { cleanBrowser, renderConsole } from '../../../testing/render-console.tsx';
import { ok, refused, type StubRoutes, statusWith, stubApi } from '../../../testing/stub-api.ts';

cleanBrowser();

type Fields = Readonly<{ name?: string; password?: string; again?: string }>;

const open = async (at: string, routes: StubRoutes = {}) => {
  const { calls } = stubApi({ 'POST /api/user/register': ok(), ...routes });
  const { person } = await renderConsole({ at });
  await screen.findByRole('heading', { name: 'Sign up' });
  const fill = async ({ name = 'ada', password = 'correct horse', again = password }: Fields) => {
    const typed = { 'User name': name, Password: password, 'Confirm password': again };
    for (const [label, text] of Object.entries(typed)) {
      if (text !== '') await person.type(screen.getByLabelText(label), text);
    }
    await person.click(screen.getByRole('button', { name: 'Sign up' }));
  };
  const posted = () => calls.find(({ method }) => method === 'POST');
  return { calls, person, fill, posted };
};

test('a user signs up by name and password, and is led to the login', async () => {
  const { fill, posted } = await open('/register');
  expect(screen.getByRole('link', { name: /Have an account/ }).getAttribute('href')).toBe('/login');
  await fill({});
  await waitFor(() => expect(window.location.pathname).toBe('/login'));
  expect(posted()?.body).toEqual({
    username: 'ada',
    password: 'correct horse',
    password2: 'correct horse',
    email: '',
    verification_code: '',
    aff_code: '',
  });
});

test('the inviter is kept in the browser, and sent to the server', async () => {
  const { fill, posted } = await open('/register?aff=aDa1');
  await waitFor(() => expect(readLocal('aff')).toBe('aDa1'));
  window.history.replaceState(null, '', '/register');
  await fill({});
  await waitFor(() => expect(posted()?.body).toMatchObject({ aff_code: 'aDa1' }));
});

test.each([
  ['no name', { name: '' }, 'Please enter user name and password!'],
  ['no password', { password: '', again: '' }, 'Please enter user name and password!'],
  ['7 characters', { password: '1234567' }, 'The password needs at least 8 characters!'],
  ['two different passwords', { again: 'another horse' }, 'The two passwords differ'],
])('%s: refused before anything is sent', async (_, fields, reason) => {
  const { fill, posted } = await open('/register');
  await fill(fields);
  expect(await screen.findByText(reason)).toBeTruthy();
  expect(posted()).toBeUndefined();
});

test.each([8, 21])(
  'a password of %i characters is sent; the longest is only a hint',
  async (length) => {
    const { fill, posted } = await open('/register');
    expect(screen.getByPlaceholderText('8 to 20 characters')).toBeTruthy();
    await fill({ password: 'x'.repeat(length) });
    await waitFor(() => expect(posted()?.body).toMatchObject({ password: 'x'.repeat(length) }));
  },
);

test('a refusal is shown in the words of the server', async () => {
  const { fill } = await open('/register', {
    'POST /api/user/register': refused('This user name is taken'),
  });
  await fill({});
  expect(await screen.findByText('This user name is taken')).toBeTruthy();
  expect(window.location.pathname).toBe('/register');
});

test('an address is required only where the operator enabled its check', async () => {
  await open('/register');
  expect(screen.queryByLabelText('Email')).toBeNull();
});

test('a code is mailed to the typed address, and the next one waits for 30 seconds', async () => {
  const { calls, person, fill, posted } = await open('/register', {
    'GET /api/status': statusWith({ email_verification: true }),
    'GET /api/verification': ok(),
  });
  await person.click(screen.getByRole('button', { name: 'Send code' }));
  expect(await screen.findByText('Please enter your email address!')).toBeTruthy();
  await person.type(screen.getByLabelText('Email'), 'ada@example.com');
  await person.click(screen.getByRole('button', { name: 'Send code' }));
  const resend = await screen.findByRole<HTMLButtonElement>('button', { name: 'Resend (30)' });
  expect(resend.disabled).toBe(true);
  const asked = calls.find(({ path }) => path === '/api/verification');
  expect(asked?.query.get('email')).toBe('ada@example.com');
  await person.type(screen.getByLabelText('Verification code'), 'a1b2c3');
  await fill({});
  await waitFor(() =>
    expect(posted()?.body).toMatchObject({
      email: 'ada@example.com',
      verification_code: 'a1b2c3',
    }),
  );
});

test('an error is shown at its field, which gets the focus, whichever side found it', async () => {
  const taken = { success: false, code: 'user.name-taken', message: 'This user name is taken' };
  const { fill, person } = await open('/register', { 'POST /api/user/register': taken });
  const isAt = (label: string, text: string) =>
    screen.getByLabelText(label).closest('.field')?.textContent?.includes(text) === true;
  await fill({ again: 'another horse' });
  await waitFor(() => expect(isAt('Confirm password', 'The two passwords differ')).toBe(true));
  await waitFor(() =>
    expect(document.activeElement).toBe(screen.getByLabelText('Confirm password')),
  );
  expect(document.activeElement?.getAttribute('aria-invalid')).toBe('true');
  await person.clear(screen.getByLabelText('Confirm password'));
  await person.type(screen.getByLabelText('Confirm password'), 'correct horse');
  await person.click(screen.getByRole('button', { name: 'Sign up' }));
  await waitFor(() => expect(isAt('User name', taken.message)).toBe(true));
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('User name')));
  expect(screen.getAllByText(taken.message)).toHaveLength(1);
});
