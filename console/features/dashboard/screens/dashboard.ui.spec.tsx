import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { health, hour, served } from '../../../testing/dashboard-examples.ts';
import { addFilter } from '../../../testing/list-controls.ts';
import { anAdmin, aUser, cleanBrowser, renderConsole } from '../../../testing/render-console.tsx';
import { ok, statusWith, stubApi } from '../../../testing/stub-api.ts';

cleanBrowser();

const figure = async (name: string) =>
  within((await screen.findByText(name, { selector: 'a .key-label' })).closest('a') as HTMLElement);
const addressOf = (link: HTMLElement) => new URL(link.getAttribute('href') ?? '', 'http://c.test');

test('a person sees what each model used in the chosen time', async () => {
  const { calls } = stubApi(served);
  await renderConsole({
    at: `/detail?start_timestamp=${hour}&end_timestamp=1700000000`,
    user: aUser,
  });
  const table = within(await screen.findByRole('table', { name: 'Use by model' }));
  expect(table.getByText('gpt-4o-mini')).toBeTruthy();
  expect(table.getByText('75.0%')).toBeTruthy();
  expect(table.getByText('$2.00')).toBeTruthy();
  for (const path of ['/api/data/self', '/api/data/self/overview']) {
    const asked = calls.find((call) => call.path === path);
    expect(asked?.query.get('start_timestamp')).toBe(String(hour));
    expect(asked?.query.get('end_timestamp')).toBe('1700000000');
  }
});

test('each figure is next to the period before, with the direction in words', async () => {
  stubApi(served);
  await renderConsole({ at: '/detail', user: aUser });
  expect((await figure('Spend')).getByText('$2.00')).toBeTruthy();
  expect((await figure('Spend')).getByText('50% less')).toBeTruthy();
  expect((await figure('Calls')).getByText('20% more')).toBeTruthy();
  const errors = await figure('Errors');
  expect(errors.getByText('None before').className).toContain('is-worse');
  expect(errors.getByText('0.2%')).toBeTruthy();
  const latency = await figure('Latency, median');
  expect(latency.getByText('50% less').className).toContain('is-better');
  expect(latency.getByText('p95 12.3 s')).toBeTruthy();
});

test('every figure leads to the calls behind it', async () => {
  stubApi(served);
  await renderConsole({ at: '/detail', user: anAdmin });
  const errors = (await screen.findByText('Errors', { selector: 'a .key-label' })).closest('a');
  const { pathname, searchParams } = addressOf(errors as HTMLElement);
  expect([pathname, searchParams.get('type')]).toEqual(['/log', '5']);
  expect(searchParams.get('start_timestamp')).toBe(String(hour));
  const linked = (name: string) => addressOf(screen.getAllByRole('link', { name })[0] as never);
  expect(linked('ada').searchParams.get('username')).toBe('ada');
  expect(linked('web').searchParams.get('token_name')).toBe('web');
  expect(linked('gpt-4o').searchParams.get('model_name')).toBe('gpt-4o');
  expect((await screen.findByRole('link', { name: '25%' })).getAttribute('href')).toContain(
    'channel=4',
  );
});

test('the balance and keys with a budget show how long they last at this pace', async () => {
  stubApi(served);
  await renderConsole({ at: '/detail', user: aUser });
  const left = within((await screen.findByText('What is left')).closest('section') as HTMLElement);
  const row = (name: string) => within(left.getByText(name).closest('li') as HTMLElement);
  // 1,000,000 units in a day.
  await waitFor(() => expect(row('Balance').getByText('5 days at this pace')).toBeTruthy());
  await waitFor(() => expect(row('web').getByText('3 days at this pace')).toBeTruthy());
  expect(row('spare').getByText('Not used')).toBeTruthy();
  expect(left.queryByText('open')).toBeNull();
});

test('the latest errors are shown with their reason', async () => {
  stubApi(served);
  await renderConsole({ at: '/detail', user: aUser });
  expect(await screen.findByText('upstream said no')).toBeTruthy();
});

test('channels and other users are for administrators', async () => {
  const { calls } = stubApi(served);
  await renderConsole({ at: '/detail', user: aUser });
  await screen.findByRole('table', { name: 'Use by model' });
  expect(screen.queryByText('Top users')).toBeNull();
  expect(screen.queryByText('Channel health')).toBeNull();
  expect(calls.some(({ path }) => path.startsWith('/api/channel'))).toBe(false);
});

test('errors and latency of channels are drawn by the hour, for administrators', async () => {
  stubApi(served);
  await renderConsole({ at: '/detail', user: anAdmin });
  for (const name of ['Error rate by hour, last 24 hours', 'Median time by hour, last 24 hours']) {
    const chart = await screen.findByRole('img', { name });
    await waitFor(() =>
      expect(chart.querySelector('path')?.getAttribute('d')).toMatch(/^M[\d.,]+L[\d.,]+$/),
    );
  }
});

test('a channel in cool-down shows until when', async () => {
  const until = Math.floor(new Date(2026, 2, 4, 12, 5, 9).getTime() / 1_000);
  const [main] = health;
  stubApi({
    ...served,
    'GET /api/data/channels': ok([{ ...main, cooling_until: until }]),
    'GET /api/channel/': ok([{ id: 4, status: 1, other_info: '' }]),
  });
  await renderConsole({ at: '/detail', user: anAdmin });
  expect(await screen.findByText('Cooling until 12:05:09')).toBeTruthy();
});

test('a visit takes one call for each thing that is shown', async () => {
  const { calls } = stubApi(served);
  await renderConsole({ at: '/detail', user: aUser });
  await screen.findByRole('table', { name: 'Use by model' });
  await screen.findByRole('img', { name: 'Balance over time' });
  const asked = calls.map(({ path }) => path);
  expect(asked).toContain('/api/ledger/self/balances');
  expect(asked.length).toBe(new Set(asked).size);
  // The page itself, the session and its event stream included.
  expect(asked.length).toBeLessThanOrEqual(12);
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
  /** They are those of whole hours. */
  const spans = () =>
    calls
      .filter(({ path }) => path === '/api/data/')
      .map(
        ({ query }) =>
          Math.floor(
            (Number(query.get('end_timestamp')) + 1 - Number(query.get('start_timestamp')) - 3600) /
              3600,
          ) / 24,
      );
  await waitFor(() => expect(spans()).toEqual([7, 30]));
});

test('an administrator narrows the dashboard to one user', async () => {
  const { calls } = stubApi(served);
  const { person } = await renderConsole({ at: '/detail', user: anAdmin });
  await screen.findByRole('table', { name: 'Use by model' });
  await addFilter(person, 'Username', 'ada');
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

test('where the dashboard is switched off, its entry is gone and the screen explains it', async () => {
  const { calls } = stubApi({
    ...served,
    'GET /api/status': statusWith({ enable_data_export: false }),
  });
  await renderConsole({ at: '/detail', user: aUser });
  expect(await screen.findByText('The dashboard is switched off')).toBeTruthy();
  expect(screen.queryByRole('link', { name: 'Dashboard' })).toBeNull();
  expect(calls.some(({ path }) => path === '/api/data/self')).toBe(false);
});
