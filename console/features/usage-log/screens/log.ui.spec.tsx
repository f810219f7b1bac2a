import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { addFilter, openedDrawer } from '../../../testing/list-controls.ts';
import { anAdmin, aUser, cleanBrowser, renderConsole } from '../../../testing/render-console.tsx';
import { ok, stubApi } from '../../../testing/stub-api.ts';

cleanBrowser();

const row = {
  id: 9,
  user_id: 7,
  created_at: 1_700_000_000,
  type: 2,
  content: '',
  username: 'ada',
  token_name: 'web',
  token_id: 3,
  model_name: 'gpt-4o-mini',
  quota: 225,
  prompt_tokens: 1504,
  completion_tokens: 412,
  use_time: 1,
  duration_ms: 1_000,
  is_stream: false,
  channel: 4,
  channel_name: 'main',
  group: 'default',
  request_id: 'r-1',
  other: JSON.stringify({
    model_ratio: 0.075,
    model_price: -1,
    completion_ratio: 4,
    group_ratio: 1,
    price_steps: [{ label: 'prompt', quantity: 1504, ratio: '0.075', units: '112.8' }],
  }),
};
const page = ok({ items: [row], page: 1, page_size: 10, total: 1 });
const stat = ok({ quota: 500_000, rpm: 3, tpm: 90, token: 90 });
const routes = {
  'GET /api/log/self': page,
  'GET /api/log/self/stat': stat,
  'GET /api/log/': page,
  'GET /api/log/stat': stat,
};

test('filters in the address are filters of the list', async () => {
  const { calls } = stubApi(routes);
  await renderConsole({ at: '/log?token_name=a%20b&type=2&p=3', user: aUser });
  await screen.findByText('gpt-4o-mini');
  const query = calls.find(({ path }) => path === '/api/log/self')?.query;
  expect(query?.get('token_name')).toBe('a b');
  expect(query?.get('type')).toBe('2');
  expect(query?.get('p')).toBe('3');
  expect(query?.has('username')).toBe(false);
});

test('a filter writes the address and goes back to the first page', async () => {
  const { calls } = stubApi(routes);
  const { person } = await renderConsole({ at: '/log?p=4', user: aUser });
  await addFilter(person, 'Model name', 'gpt%');
  await waitFor(() => expect(window.location.search).toBe('?model_name=gpt%25'));
  await waitFor(() =>
    expect(
      calls.some(({ query }) => query.get('model_name') === 'gpt%' && query.get('p') === '1'),
    ).toBe(true),
  );
});

test('only administrators see channel, user and retries', async () => {
  stubApi(routes);
  const asUser = await renderConsole({ at: '/log', user: aUser });
  await screen.findByText('gpt-4o-mini');
  expect(screen.queryByRole('columnheader', { name: 'Channel' })).toBeNull();
  await asUser.person.click(screen.getByRole('button', { name: 'Columns' }));
  expect(await screen.findByLabelText('API key')).toBeTruthy();
  expect(screen.queryByLabelText('Retry')).toBeNull();
  asUser.unmount();
  const { person } = await renderConsole({ at: '/log', user: anAdmin });
  await screen.findByText('gpt-4o-mini');
  expect(screen.getByRole('columnheader', { name: 'Channel' })).toBeTruthy();
  await person.click(screen.getByRole('button', { name: 'Columns' }));
  await person.click(await screen.findByLabelText('Retry'));
  expect(screen.getByRole('columnheader', { name: 'Retry', hidden: true })).toBeTruthy();
});

test('a row opens to how it was billed', async () => {
  stubApi(routes);
  const { person } = await renderConsole({ at: '/log', user: aUser });
  await person.click(await screen.findByRole('button', { name: 'Show details' }));
  const drawer = await openedDrawer('gpt-4o-mini');
  expect(drawer.getByText('112.8')).toBeTruthy();
  expect(drawer.getByText('225')).toBeTruthy();
  expect(drawer.getByText('$0.000450')).toBeTruthy();
  expect(drawer.getByText('Prompt price: $0.15 / 1M tokens')).toBeTruthy();
  const line = drawer.getByRole('link', { name: 'Open the ledger entry' });
  expect(line.getAttribute('href')).toContain('/ledger?kind=RequestCharged');
});
