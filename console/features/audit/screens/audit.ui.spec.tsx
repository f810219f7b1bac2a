import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { addFilter, chooseFilter, openedDrawer } from '../../../testing/list-controls.ts';
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
  changes: [{ field: 'value', before: '0', after: '500000' }],
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
  secrets: ['value'],
};
const page = (items: readonly unknown[]) =>
  ok({ items, page: 1, page_size: 10, total: items.length });

test('a change shows who made it, from where, and what was before and after', async () => {
  stubApi({ 'GET /api/audit': page([row]) });
  const { person } = await renderConsole({ at: '/audit', user: anAdmin });
  expect(await screen.findByText('10.0.0.9')).toBeTruthy();
  await person.click(screen.getByRole('button', { name: 'Show details' }));
  expect(screen.getByText('- $0.00')).toBeTruthy();
  expect(screen.getByText('+ $1.00')).toBeTruthy();
});

test('the given reason is shown with the change', async () => {
  stubApi({ 'GET /api/audit': page([{ ...row, reason: 'ticket 17' }]) });
  const { person } = await renderConsole({ at: '/audit', user: anAdmin });
  expect(await screen.findByText('ticket 17')).toBeTruthy();
  await person.click(screen.getByRole('button', { name: 'Show details' }));
  expect(screen.getByText('Reason')).toBeTruthy();
  expect(screen.getAllByText('ticket 17')).toHaveLength(2);
});

test('of a secret the trail shows only that it changed', async () => {
  stubApi({ 'GET /api/audit': page([secret]) });
  const { person } = await renderConsole({ at: '/audit', user: anAdmin });
  await person.click(await screen.findByRole('button', { name: 'Show details' }));
  expect(screen.getByText('The secret was changed; its value is never shown')).toBeTruthy();
});

test('filters are sent and are part of the address', async () => {
  const { calls } = stubApi({ 'GET /api/audit': page([row]) });
  const { person } = await renderConsole({ at: '/audit', user: anAdmin });
  await addFilter(person, 'Actor ID', '1');
  await chooseFilter(person, 'Action', 'Setting changed');
  await waitFor(() => expect(window.location.search).toBe('?actor=1&type=OptionChanged'));
  await waitFor(() =>
    expect(calls.some(({ query }) => query.get('type') === 'OptionChanged')).toBe(true),
  );
});

test('an ordinary user sees their own trail, without filters over other people', async () => {
  const { calls } = stubApi({ 'GET /api/audit/self': page([row]) });
  const { person } = await renderConsole({ at: '/audit', user: aUser });
  expect(await screen.findByRole('heading', { name: 'My audit trail' })).toBeTruthy();
  await person.click(screen.getByRole('button', { name: 'Filter' }));
  expect(await screen.findByRole('menuitem', { name: 'Action' })).toBeTruthy();
  expect(screen.queryByRole('menuitem', { name: 'Actor ID' })).toBeNull();
  expect(calls.some(({ path }) => path === '/api/audit')).toBe(false);
});

test('each entry is a sentence, under the heading of its day', async () => {
  const group = {
    ...row,
    id: '4713',
    type: 'UserGroupChanged',
    subject: { kind: 'user', id: '7', name: 'dave' },
    changes: [{ field: 'group', before: 'default', after: 'vip' }],
  };
  stubApi({ 'GET /api/audit': page([group, { ...row, at: row.at - 2 * 86_400 }]) });
  await renderConsole({ at: '/audit', user: anAdmin });
  expect(await screen.findByText('root changed the group of dave')).toBeTruthy();
  expect(screen.getByText('group: default → vip')).toBeTruthy();
  expect(
    screen.getByText('root changed the setting Quota of a new user (QuotaForNewUser)'),
  ).toBeTruthy();
  expect(document.querySelectorAll('tr.group-head')).toHaveLength(2);
});

test('in Chinese the sentence and the fields are Chinese', async () => {
  const changes = [{ field: 'group', before: 'default', after: 'vip' }];
  const subject = { kind: 'user', id: '7', name: 'dave' };
  const group = { ...row, type: 'UserGroupChanged', subject, changes };
  stubApi({ 'GET /api/audit': page([group]) });
  await renderConsole({ at: '/audit', user: anAdmin, language: 'zh' });
  expect(await screen.findByText('root 修改了 dave 的分组')).toBeTruthy();
  expect(screen.getByText('分组：default → vip')).toBeTruthy();
});

test('an administrator without a name is only called an administrator', async () => {
  const actor = { kind: 'admin', id: '', name: '' };
  stubApi({ 'GET /api/audit/self': page([{ ...row, actor }]) });
  await renderConsole({ at: '/audit', user: aUser });
  expect(
    await screen.findByText(
      'An administrator changed the setting Quota of a new user (QuotaForNewUser)',
    ),
  ).toBeTruthy();
});

test('from an entry to everything by the same person, or about the same thing', async () => {
  stubApi({ 'GET /api/audit': page([row]) });
  const { person } = await renderConsole({ at: '/audit', user: anAdmin });
  await person.click(await screen.findByRole('button', { name: 'Show details' }));
  const drawer = await openedDrawer('Setting changed');
  await person.click(
    drawer.getByRole('button', { name: 'Everything about Quota of a new user (QuotaForNewUser)' }),
  );
  await waitFor(() =>
    expect(window.location.search).toBe('?subject_kind=option&subject_id=QuotaForNewUser'),
  );
});
