import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { aUser, cleanBrowser, renderConsole } from '../../testing/render-console.tsx';
import { answered, ok, refused, stubApi } from '../../testing/stub-api.ts';
import { storedUser } from '../session.ts';
import { withQuery } from './client.ts';

cleanBrowser();

test('every call names the signed-in person and the language', async () => {
  const { calls } = stubApi({ 'GET /api/token/': ok([]) });
  await renderConsole({ at: '/token', user: aUser });
  await screen.findByText('No API keys yet');
  const list = calls.find(({ path }) => path === '/api/token/');
  expect(list?.headers.get('new-api-user')).toBe('7');
  expect(list?.headers.get('accept-language')).toBe('en');
  expect(list?.headers.get('cache-control')).toBe('no-store');
});

test('a visitor is called -1', async () => {
  const { calls } = stubApi({ 'GET /api/notice': ok(''), 'GET /api/home_page_content': ok('') });
  await renderConsole({ at: '/' });
  await screen.findByText('Every AI model behind one API');
  expect(calls[0]?.headers.get('new-api-user')).toBe('-1');
});

test('every value of a query is encoded, and absent ones are left out', () => {
  expect(withQuery('/api/x', { a: 'b&c=d', e: undefined, f: 0 })).toBe('/api/x?a=b%26c%3Dd&f=0');
});

test('a refusal is shown with the text of the server', async () => {
  stubApi({ 'GET /api/token/': refused('Not today') });
  await renderConsole({ at: '/token', user: aUser });
  expect((await screen.findAllByText('Not today')).length).toBeGreaterThan(0);
});

test('a fault of the server shows the request id to search for', async () => {
  stubApi({ 'GET /api/token/': () => answered(500, {}, 'req-77') });
  await renderConsole({ at: '/token', user: aUser });
  expect(await screen.findByText(/contact the administrator! \(req-77\)/)).toBeTruthy();
});

test('a lost session leads to the login page, once, and clears the person', async () => {
  stubApi({ 'GET /api/token/': () => answered(401) });
  await renderConsole({ at: '/token', user: aUser });
  expect(await screen.findByRole('heading', { name: 'Sign in' })).toBeTruthy();
  expect(await screen.findAllByText(/the login has expired/)).toHaveLength(1);
  expect(storedUser()).toBeNull();
  await waitFor(() => expect(window.location.search).toBe(''));
});

test('a lost session does not send a visitor away from a public page', async () => {
  stubApi({
    'GET /api/notice': () => answered(401),
    'GET /api/home_page_content': ok(''),
  });
  await renderConsole({ at: '/', user: aUser });
  expect(await screen.findByText('Every AI model behind one API')).toBeTruthy();
  await waitFor(() => expect(storedUser()).toBeNull());
  expect(window.location.pathname).toBe('/');
});
