import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { channelTypesOnWire } from '../../../../projections/channel-list/types.ts';
import { aChannelRow } from '../../../testing/channel-examples.ts';
import { addFilter, chooseFilter, rowAction } from '../../../testing/list-controls.ts';
import { anAdmin, cleanBrowser, renderConsole } from '../../../testing/render-console.tsx';
import { ok, type StubRoutes, stubApi } from '../../../testing/stub-api.ts';

cleanBrowser();

const aChannel = (id: number, changes: object = {}) => ({
  ...aChannelRow,
  id,
  name: `channel-${id}`,
  auto_ban: 1,
  created_time: 1,
  ...changes,
});
const main = aChannel(5, { name: 'main' });
const lists = {
  'GET /api/channel/': ok([main]),
  'GET /api/channel/types': ok(channelTypesOnWire),
  'GET /api/group/': ok(['default', 'vip']),
};
const open = async (routes: StubRoutes = {}, at = '/channel') => {
  const { calls } = stubApi({ ...lists, ...routes });
  const { person } = await renderConsole({ at, user: anAdmin });
  const table = within(await screen.findByRole('table', { name: 'Channels' }));
  const sent = (method: string) =>
    calls.filter((call) => call.method === method).map(({ path, body }) => [path, body]);
  return { calls, person, table, sent };
};
const tagged = [
  aChannel(1, { tag: 'spare', response_time: 1000, used_quota: 500_000 }),
  aChannel(2, { tag: 'spare', response_time: 2000, used_quota: 500_000, priority: 3 }),
];
const rowOf = (name: string) => screen.getByText(name).closest('tr') as HTMLElement;
const confirm = async (person: Awaited<ReturnType<typeof open>>['person']) =>
  person.click(await screen.findByRole('button', { name: 'OK' }));

test('a channel is copied by the server, so that its key stays there', async () => {
  const { person, sent } = await open({ 'POST /api/channel/': ok() });
  await screen.findByText('main');
  await person.click(await rowAction(person, rowOf('main'), 'Copy'));
  await confirm(person);
  await waitFor(() =>
    expect(sent('POST')).toContainEqual(['/api/channel/', { copy_from: 5, name: 'main_copy' }]),
  );
});

test('selected channels get a tag in one act, and deleting some shows how many', async () => {
  const { person, sent } = await open({
    'POST /api/channel/batch/tag': ok(1),
    'POST /api/channel/batch': ok(1),
  });
  await screen.findByText('main');
  expect(screen.queryByRole('button', { name: 'Set tag' })).toBeNull();
  await person.click(screen.getByRole('checkbox', { name: 'Select this row' }));
  await person.click(screen.getByRole('button', { name: 'Set tag' }));
  await person.click(screen.getByRole('button', { name: 'OK' }));
  expect(sent('POST')).toEqual([]);
  await person.type(await screen.findByLabelText('Tag'), 'spare');
  await person.click(screen.getByRole('button', { name: 'OK' }));
  await waitFor(() =>
    expect(sent('POST')).toEqual([['/api/channel/batch/tag', { ids: [5], tag: 'spare' }]]),
  );
  await person.click(await screen.findByRole('checkbox', { name: 'Select this row' }));
  await person.click(screen.getByRole('button', { name: 'Delete selected' }));
  await confirm(person);
  await waitFor(() => expect(sent('POST')).toContainEqual(['/api/channel/batch', { ids: [5] }]));
  expect(await screen.findByText('Channels deleted: 1')).toBeTruthy();
});

test('in tag mode one row represents all channels of a tag', async () => {
  const { person, calls, sent } = await open({
    'GET /api/channel/': ok(tagged),
    'POST /api/channel/tag/disabled': ok(),
    'POST /api/channel/tag/enabled': ok(),
  });
  await person.click(screen.getByLabelText('Group by tag'));
  const toggle = await screen.findByRole('button', { name: /Tag: spare/ });
  expect(calls.at(-1)?.query.get('tag_mode')).toBe('true');
  expect(window.location.search).toBe('?tags=1');
  expect(screen.queryByText('channel-1')).toBeNull();
  expect(screen.getByText('$2.00')).toBeTruthy();
  expect(screen.getByText('1.50 s')).toBeTruthy();
  await person.click(toggle);
  expect(screen.getByText('channel-1')).toBeTruthy();
  await person.click(screen.getByRole('button', { name: 'Actions for spare' }));
  await person.click(await screen.findByRole('menuitem', { name: 'Disable all' }));
  await waitFor(() =>
    expect(sent('POST')).toEqual([['/api/channel/tag/disabled', { tag: 'spare' }]]),
  );
  await person.click(await screen.findByRole('button', { name: 'Actions for spare' }));
  await person.click(await screen.findByRole('menuitem', { name: 'Enable all' }));
  await waitFor(() =>
    expect(sent('POST')).toContainEqual(['/api/channel/tag/enabled', { tag: 'spare' }]),
  );
});

test('a number for a whole tag overwrites those of its channels after a question', async () => {
  const { person, sent } = await open(
    { 'GET /api/channel/': ok(tagged), 'PUT /api/channel/tag': ok() },
    '/channel?tags=1',
  );
  const priority = await screen.findByLabelText('Priority');
  expect(priority).toHaveProperty('value', '');
  await person.type(priority, '7{Enter}');
  expect(sent('PUT')).toEqual([]);
  await confirm(person);
  await waitFor(() =>
    expect(sent('PUT')).toEqual([['/api/channel/tag', { tag: 'spare', priority: 7 }]]),
  );
  await person.clear(screen.getByLabelText('Weight'));
  await person.type(screen.getByLabelText('Weight'), '2{Enter}');
  await confirm(person);
  await waitFor(() =>
    expect(sent('PUT')).toContainEqual(['/api/channel/tag', { tag: 'spare', weight: 2 }]),
  );
});

test('a tag is edited by what was typed; nothing typed is refused, no name dissolves it', async () => {
  const { person, sent } = await open(
    {
      'GET /api/channel/': ok(tagged),
      'PUT /api/channel/tag': ok(),
      'GET /api/channel/models': ok([]),
    },
    '/channel?tags=1',
  );
  const edit = async () => {
    await person.click((await screen.findAllByRole('button', { name: 'Edit' }))[0] as HTMLElement);
    return within(await screen.findByRole('dialog', { name: 'Edit tag' }));
  };
  const drawer = await edit();
  await person.click(drawer.getByRole('button', { name: 'Submit' }));
  expect(await screen.findByText('Nothing was changed!')).toBeTruthy();
  expect(drawer.getByLabelText('Models')).toBeTruthy();
  await person.type(drawer.getByLabelText('Groups'), 'vip{Enter}');
  await person.click(drawer.getByRole('button', { name: 'No mapping' }));
  await person.click(drawer.getByRole('button', { name: 'Submit' }));
  await waitFor(() =>
    expect(sent('PUT')).toEqual([
      ['/api/channel/tag', { tag: 'spare', groups: 'vip', model_mapping: '{}' }],
    ]),
  );
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Edit tag' })).toBeNull());
  const again = await edit();
  await person.clear(again.getByLabelText('Tag name'));
  await person.click(again.getByRole('button', { name: 'Submit' }));
  await waitFor(() =>
    expect(sent('PUT')).toContainEqual(['/api/channel/tag', { tag: 'spare', new_tag: '' }]),
  );
});

test('the state of a channel can be read off its row', async () => {
  const info = JSON.stringify({ status_reason: 'no credit', status_time: 1_700_000_000 });
  await open({
    'GET /api/channel/': ok([
      aChannel(1, { response_time: 1000 }),
      aChannel(2, { status: 2, response_time: 3000, type: 14 }),
      aChannel(3, { status: 3, other_info: info, response_time: 5000 }),
      aChannel(4, { response_time: 6000 }),
      aChannel(6),
    ]),
  });
  const colour = async (text: string) => (await screen.findByText(text)).className;
  expect(await colour('1.00 s')).toContain('tone-green');
  expect(await colour('3.00 s')).toContain('tone-lime');
  expect(await colour('5.00 s')).toContain('tone-yellow');
  expect(await colour('6.00 s')).toContain('tone-red');
  expect(screen.getAllByText('Untested')).toHaveLength(1);
  expect(screen.getAllByText('Enabled')).toHaveLength(3);
  expect(screen.getByText('Disabled')).toBeTruthy();
  expect(screen.getByText('Anthropic Claude')).toBeTruthy();
  expect(screen.getByText('Auto-disabled')).toBeTruthy();
  expect(screen.getByTitle(/no credit.*2023-11-1/)).toBeTruthy();
});

test('a channel is switched, deleted, tested, and its balance read from its row', async () => {
  const { person, calls, sent } = await open({
    'PUT /api/channel/': ok(),
    'DELETE /api/channel/5': ok(),
    'GET /api/channel/test/5': { success: true, message: '', time: 1.234 },
    'GET /api/channel/update_balance/5': { success: true, message: '', balance: 12.5 },
  });
  await screen.findByText('main');
  await person.click(await rowAction(person, rowOf('main'), 'Disable'));
  await waitFor(() => expect(sent('PUT')).toEqual([['/api/channel/', { id: 5, status: 2 }]]));
  await person.click(screen.getByRole('button', { name: 'Test' }));
  expect(await screen.findByText(/main.*1\.23/)).toBeTruthy();
  await person.click(screen.getByRole('button', { name: /choose|model/i }));
  await person.click(await screen.findByRole('button', { name: 'gpt-4o' }));
  await waitFor(() =>
    expect(calls.some(({ query }) => query.get('model') === 'gpt-4o')).toBe(true),
  );
  await person.click(screen.getByRole('button', { name: '$0.00' }));
  expect(await screen.findByText('Balance of main: $12.50')).toBeTruthy();
  await person.click(await rowAction(person, rowOf('main'), 'Delete'));
  await confirm(person);
  await waitFor(() => expect(sent('DELETE')).toEqual([['/api/channel/5', null]]));
});

test('acts over all channels ask first and show how many are affected', async () => {
  const { person, calls } = await open({
    'GET /api/channel/test': ok(),
    'GET /api/channel/update_balance': ok(),
    'DELETE /api/channel/disabled': ok(3),
    'POST /api/channel/fix': ok(2),
  });
  const act = async (name: string) => {
    await person.click(screen.getByRole('button', { name: 'All channels' }));
    await person.click((await screen.findAllByRole('menuitem', { name })).at(-1) as HTMLElement);
    await confirm(person);
  };
  const asked = (path: string) => calls.some((call) => call.path === path);
  await act('Test all');
  await waitFor(() => expect(asked('/api/channel/test')).toBe(true));
  expect(await screen.findByText('Testing: 0 / 1')).toBeTruthy();
  await act('Update all balances');
  expect(await screen.findByText('Updating balances: 0 / 1')).toBeTruthy();
  await act('Delete disabled');
  expect(await screen.findByText('Channels deleted: 3')).toBeTruthy();
  await act('Repair the database');
  expect(await screen.findByText('2 channels repaired')).toBeTruthy();
});

test('priority and weight are edited in the row, and only as whole numbers', async () => {
  const { person, sent } = await open({ 'PUT /api/channel/': ok() });
  const type = async (label: string, text: string) => {
    await person.clear(await screen.findByLabelText(label));
    await person.type(screen.getByLabelText(label), `${text}{Enter}`);
  };
  await type('Priority', '1.5');
  expect(await screen.findByText('The priority must be a whole number!')).toBeTruthy();
  expect(sent('PUT')).toEqual([]);
  await type('Priority', '-5000');
  await type('Weight', '-3');
  await type('Weight', '4');
  await waitFor(() =>
    expect(sent('PUT')).toEqual([
      ['/api/channel/', { id: 5, priority: -999 }],
      ['/api/channel/', { id: 5, weight: 4 }],
    ]),
  );
});

test('channels are searched, sorted, and the view is part of the address', async () => {
  const { person, calls } = await open({ 'GET /api/channel/search': ok([main]) });
  await person.type(screen.getByLabelText('Keyword'), 'ma{Enter}');
  await addFilter(person, 'Model', 'gpt');
  await chooseFilter(person, 'Group', 'vip');
  await waitFor(() => {
    const query = calls.findLast(({ path }) => path === '/api/channel/search')?.query;
    expect([query?.get('keyword'), query?.get('model'), query?.get('group')]).toEqual([
      'ma',
      'gpt',
      'vip',
    ]);
  });
  expect(window.location.search).toBe('?keyword=ma&model=gpt&group=vip');
  await person.click(screen.getByLabelText('Sort by ID'));
  await waitFor(() => expect(calls.at(-1)?.query.get('id_sort')).toBe('true'));
  expect(localStorage.getItem('id-sort')).toBe('true');
});
