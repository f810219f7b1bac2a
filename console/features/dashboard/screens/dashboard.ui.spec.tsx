import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { anAdmin, aUser, cleanBrowser, renderConsole } from '../../../testing/render-console.tsx';
import { ok, statusWith, stubApi } from '../../../testing/stub-api.ts';

cleanBrowser();

const hour = 1_700_000_000 - (1_700_000_000 % 3600);
const aRow = (model_name: string, count: number, quota: number) => ({
  id: 0,
  user_id: 0,
  username: '',
  model_name,
  created_at: hour,
  token_used: quota,
  count,
  quota,
});
const rows = ok([aRow('gpt-4o', 3, 1_000_000), aRow('gpt-4o-mini', 9, 250_000)]);
const self = ok({ quota: 5_000_000, used_quota: 1_250_000, request_count: 12 });
const served = {
  'GET /api/data/': rows,
  'GET /api/data/self': rows,
  'GET /api/user/self': self,
  'GET /api/ledger/self/balances': ok([
    { at: hour, balance: 5_250_000 },
    { at: hour + 60, balance: 5_000_000 },
  ]),
};

test('a person sees what each model used, and sums of the chosen time', async () => {
  const { calls } = stubApi(served);
  await renderConsole({
    at: '/detail?start_timestamp=1699990000&end_timestamp=1700000000',
    user: aUser,
  });
  const table = within(await screen.findByRole('table', { name: 'Use by model' }));
  expect(table.getByText('gpt-4o-mini')).toBeTruthy();
  expect(table.getByText('75.0%')).toBeTruthy();
  expect(table.getByText('$2.0000')).toBeTruthy();
  const chosen = within(screen.getByRole('region', { name: 'Chosen time' }));
  expect(chosen.getByText('$2.50')).toBeTruthy();
  const asked = calls.find(({ path }) => path === '/api/data/self');
  expect(asked?.query.get('start_timestamp')).toBe('1699990000');
  expect(asked?.query.get('end_timestamp')).toBe('1700000000');
});

test('a visit takes one call for each thing that is shown', async () => {
  const { calls } = stubApi(served);
  await renderConsole({ at: '/detail', user: aUser });
  await screen.findByRole('table', { name: 'Use by model' });
  await screen.findByRole('img', { name: 'Balance over time' });
  const asked = calls.map(({ path }) => path);
  expect(asked).toContain('/api/ledger/self/balances');
  expect(asked.length).toBe(new Set(asked).size);
});

test('the granularity of the site is where it begins, and another can be chosen', async () => {
  const { calls } = stubApi({
    ...served,
    'GET /api/status': statusWith({ data_export_default_time: 'day' }),
  });
  const { person } = await renderConsole({ at: '/detail', user: anAdmin });
  const choice = (await screen.findByLabelText('Granularity')) as HTMLSelectElement;
  expect(choice.value).toBe('day');
  await person.selectOptions(choice, 'Week');
  const spans = () =>
    calls
      .filter(({ path }) => path === '/api/data/')
      .map(
        ({ query }) => Number(query.get('end_timestamp')) - Number(query.get('start_timestamp')),
      );
  await waitFor(() => expect(spans()).toEqual([7 * 86_400 + 3600, 30 * 86_400 + 3600]));
});

test('an administrator narrows the dashboard to one user', async () => {
  const { calls } = stubApi(served);
  const { person } = await renderConsole({ at: '/detail', user: anAdmin });
  await person.type(await screen.findByLabelText('Username'), 'ada');
  await person.click(screen.getByRole('button', { name: 'Search' }));
  await waitFor(() =>
    expect(calls.some(({ query }) => query.get('username') === 'ada')).toBe(true),
  );
});

test('a click in the legend shows one model alone, a second click all again', async () => {
  stubApi(served);
  const { person } = await renderConsole({ at: '/detail', user: aUser });
  const legend = within(await screen.findByRole('list', { name: 'Models and their colours' }));
  const button = legend.getByRole('button', { name: 'gpt-4o' });
  await person.click(button);
  expect(button.getAttribute('aria-pressed')).toBe('true');
  await person.click(button);
  expect(button.getAttribute('aria-pressed')).toBe('false');
});

test('where the dashboard is switched off, its entry is gone and the screen says so', async () => {
  const { calls } = stubApi({
    ...served,
    'GET /api/status': statusWith({ enable_data_export: false }),
  });
  await renderConsole({ at: '/detail', user: aUser });
  expect(await screen.findByText('The dashboard is switched off')).toBeTruthy();
  expect(screen.queryByRole('link', { name: 'Dashboard' })).toBeNull();
  expect(calls.some(({ path }) => path === '/api/data/self')).toBe(false);
});
