import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { anAdmin, aUser, cleanBrowser, renderConsole } from '../../../testing/render-console.tsx';
import { ok, stubApi } from '../../../testing/stub-api.ts';

cleanBrowser();

const row = {
  id: '4711',
  at: 1_700_000_000,
  type: 'OptionChanged',
  actor: { kind: 'admin', id: '1', name: 'root' },
  subject: { kind: 'option', id: 'QuotaForNewUser', name: '' },
  ip: '10.0.0.9',
  changes: [{ field: 'QuotaForNewUser', before: '0', after: '500' }],
  secrets: [],
  request_id: 'r-1',
  event_id: 'e-1',
};
const secret = {
  ...row,
  id: '4712',
  type: 'SecretOptionChanged',
  subject: { kind: 'option', id: 'SMTPToken', name: '' },
  changes: [],
  secrets: ['SMTPToken'],
};
const page = (items: readonly unknown[]) =>
  ok({ items, page: 1, page_size: 10, total: items.length });

test('a change shows who made it, from where, and what was before and after', async () => {
  stubApi({ 'GET /api/audit': page([row]) });
  const { person } = await renderConsole({ at: '/audit', user: anAdmin });
  expect(await screen.findByText('10.0.0.9')).toBeTruthy();
  await person.click(screen.getByRole('button', { name: 'Show details' }));
  expect(screen.getByText('- 0')).toBeTruthy();
  expect(screen.getByText('+ 500')).toBeTruthy();
});

test('the reason that was given stands beside the change', async () => {
  stubApi({ 'GET /api/audit': page([{ ...row, reason: 'ticket 17' }]) });
  const { person } = await renderConsole({ at: '/audit', user: anAdmin });
  expect(await screen.findByText('ticket 17')).toBeTruthy();
  await person.click(screen.getByRole('button', { name: 'Show details' }));
  expect(screen.getByText('Reason')).toBeTruthy();
  expect(screen.getAllByText('ticket 17')).toHaveLength(2);
});

test('of a secret the trail says only that it changed', async () => {
  stubApi({ 'GET /api/audit': page([secret]) });
  const { person } = await renderConsole({ at: '/audit', user: anAdmin });
  await person.click(await screen.findByRole('button', { name: 'Show details' }));
  expect(screen.getByText('The secret was changed; its value is never shown')).toBeTruthy();
});

test('filters are sent and stand in the address', async () => {
  const { calls } = stubApi({ 'GET /api/audit': page([row]) });
  const { person } = await renderConsole({ at: '/audit', user: anAdmin });
  await person.type(await screen.findByLabelText('Actor ID'), '1');
  await person.selectOptions(screen.getByLabelText('Action'), 'Setting changed');
  await person.click(screen.getByRole('button', { name: 'Search' }));
  await waitFor(() => expect(window.location.search).toBe('?actor=1&type=OptionChanged'));
  await waitFor(() =>
    expect(calls.some(({ query }) => query.get('type') === 'OptionChanged')).toBe(true),
  );
});

test('an ordinary user sees their own trail, without filters over other people', async () => {
  const { calls } = stubApi({ 'GET /api/audit/self': page([row]) });
  await renderConsole({ at: '/audit', user: aUser });
  expect(await screen.findByRole('heading', { name: 'My audit trail' })).toBeTruthy();
  expect(screen.queryByLabelText('Actor ID')).toBeNull();
  expect(calls.some(({ path }) => path === '/api/audit')).toBe(false);
});
