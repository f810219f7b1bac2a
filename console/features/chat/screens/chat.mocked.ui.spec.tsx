// @vitest-environment jsdom
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { aUser, cleanBrowser, renderConsole } from '../../../testing/render-console.tsx';
import { ok, statusWith, stubApi } from '../../../testing/stub-api.ts';

cleanBrowser();

const went: string[] = [];
vi.mock('../../../shared/leave.ts', () => ({
  leaveFor: (address: string) => went.push(address) > 0,
}));

const tokens = ok([
  { id: 1, key: 'off', status: 2 },
  { id: 2, key: 'works', status: 1 },
]);
const status = statusWith({
  server_address: 'https://me.test',
  chats: [
    { First: 'https://one.test/?k={key}&a={address}' },
    { Second: 'https://two.test/#{key}' },
    { Program: 'opencat://team?key={key}' },
  ],
});
const served = { 'GET /api/status': status, 'GET /api/token/': tokens };

test('the chosen chat site is shown in a closed frame, with the first working key', async () => {
  const { calls } = stubApi(served);
  await renderConsole({ at: '/chat/1', user: aUser });
  const frame = await screen.findByTitle('Second');
  expect(frame.getAttribute('src')).toBe('https://two.test/#sk-works');
  expect(frame.getAttribute('sandbox')).toContain('allow-scripts');
  expect(frame.getAttribute('sandbox')).not.toContain('allow-top-navigation');
  const asked = calls.find(({ path }) => path === '/api/token/');
  expect([asked?.query.get('p'), asked?.query.get('size')]).toEqual(['0', '100']);
  expect(screen.getByText('Opening the chat …')).toBeTruthy();
  fireEvent.load(frame);
  await waitFor(() => expect(screen.queryByText('Opening the chat …')).toBeNull());
  const jump = screen.getByRole('button', { name: 'Open in a new tab' });
  expect(jump.getAttribute('href')).toBe('https://two.test/#sk-works');
});

test('a chat of another program is opened by a button', async () => {
  stubApi(served);
  await renderConsole({ at: '/chat/2', user: aUser });
  const jump = await screen.findByRole('button', { name: 'Open in a new tab' });
  expect(jump.getAttribute('href')).toBe('opencat://team?key=sk-works');
});

test('without an enabled token the person is informed, and led to the tokens', async () => {
  stubApi({ ...served, 'GET /api/token/': ok([{ id: 1, key: 'off', status: 2 }]) });
  await renderConsole({ at: '/chat', user: aUser });
  expect((await screen.findAllByText(/There is no enabled API key/)).length).toBeGreaterThan(0);
  await waitFor(() => expect(window.location.pathname).toBe('/token'), { timeout: 4000 });
});

test('every configured chat has its entry in the side navigation', async () => {
  stubApi(served);
  await renderConsole({ at: '/token', user: aUser });
  const entry = await screen.findByRole('link', { name: 'Second' });
  expect(entry.getAttribute('href')).toBe('/chat/1');
});

test('the short way goes to the first chat site by itself', async () => {
  const { calls } = stubApi(served);
  await renderConsole({ at: '/chat2link', user: aUser });
  await waitFor(() =>
    expect(went).toEqual(['https://one.test/?k=sk-works&a=https%3A%2F%2Fme.test']),
  );
  expect(calls.some(({ query }) => query.get('size') === '100')).toBe(true);
});
