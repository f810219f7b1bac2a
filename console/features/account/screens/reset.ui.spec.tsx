import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { expectRefusal } from '../../../testing/form-refusal.ts';
import { cleanBrowser, renderConsole } from '../../../testing/render-console.tsx';
import { ok, refused, statusWith, stubApi } from '../../../testing/stub-api.ts';

cleanBrowser();

test('a reset link is mailed to the typed address, and again only after a while', async () => {
  const { calls } = stubApi({ 'GET /api/reset_password': ok() });
  const { person } = await renderConsole({ at: '/reset' });
  const submit = await screen.findByRole('button', { name: 'Submit' });
  await person.click(submit);
  expect(await screen.findByText(/enter.*e-?mail/i)).toBeTruthy();
  await person.type(screen.getByLabelText('Email address'), 'ada@a.test');
  await person.click(submit);
  expect(await screen.findByText('The mail was sent, please check your mailbox!')).toBeTruthy();
  const sent = calls.find(({ path }) => path === '/api/reset_password');
  expect(sent?.query.get('email')).toBe('ada@a.test');
  expect(await screen.findByRole('button', { name: /^Retry \(\d+\)$/ })).toHaveProperty(
    'disabled',
    true,
  );
  expect(screen.getByLabelText('Email address')).toHaveProperty('value', '');
});

test('a refused address is kept, with the reason at its field, which has the focus', async () => {
  stubApi({
    'GET /api/reset_password': refused('This address is not registered', 'user.email-unknown'),
  });
  const { person } = await renderConsole({ at: '/reset' });
  const field = await screen.findByLabelText('Email address');
  await person.type(field, 'ada@a.test');
  await person.click(screen.getByRole('button', { name: 'Submit' }));
  await expectRefusal(field, 'This address is not registered');
  expect(field).toHaveProperty('value', 'ada@a.test');
});

test('where a human check is on, nothing is sent before it is solved', async () => {
  const turnstile = { turnstile_check: true, turnstile_site_key: 'site' };
  const { calls } = stubApi({ 'GET /api/status': statusWith(turnstile) });
  const { person } = await renderConsole({ at: '/reset' });
  await person.type(await screen.findByLabelText('Email address'), 'ada@a.test');
  await person.click(screen.getByRole('button', { name: 'Submit' }));
  expect(await screen.findByText(/retry|wait|seconds/i)).toBeTruthy();
  expect(calls.some(({ path }) => path === '/api/reset_password')).toBe(false);
});

test('the link of the mail shows the address and gives a new password once', async () => {
  const { calls } = stubApi({ 'POST /api/user/reset': ok('n3w-pass') });
  const { person } = await renderConsole({ at: '/user/reset?email=ada%40a.test&token=t1' });
  expect(await screen.findByLabelText('Email address')).toHaveProperty('value', 'ada@a.test');
  await person.click(screen.getByRole('button', { name: 'Submit' }));
  expect(await screen.findByLabelText('New password')).toHaveProperty('value', 'n3w-pass');
  expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({
    email: 'ada@a.test',
    token: 't1',
  });
  expect(screen.getByRole('button', { name: 'The password was reset' })).toHaveProperty(
    'disabled',
    true,
  );
});

test('a link that is old or broken gives no password', async () => {
  stubApi({ 'POST /api/user/reset': refused('the link has expired') });
  const { person } = await renderConsole({ at: '/user/reset?email=ada%40a.test&token=old' });
  await person.click(await screen.findByRole('button', { name: 'Submit' }));
  expect(await screen.findByText('the link has expired')).toBeTruthy();
  expect(screen.queryByLabelText('New password')).toBeNull();
  await waitFor(() => expect(screen.getByRole('button', { name: /^Retry \(\d+\)$/ })).toBeTruthy());
});

test('a link that is not whole cannot be sent', async () => {
  stubApi({});
  await renderConsole({ at: '/user/reset?email=ada%40a.test' });
  expect(await screen.findByText(/link is not whole/)).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Submit' })).toHaveProperty('disabled', true);
});
