import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { openLiveLine } from '../../../testing/live-line.ts';
import { anAdmin, aUser, cleanBrowser, renderConsole } from '../../../testing/render-console.tsx';
import { ok, stubApi } from '../../../testing/stub-api.ts';

cleanBrowser();

const row = {
  name: 'ledger',
  state: 'live',
  position: '4711',
  head: '4712',
  lag_seconds: 0,
  events_per_second: 1200,
  rebuild_progress: null,
  error: '',
};

test('each projection shows how far it is', async () => {
  stubApi({ 'GET /api/projections': ok([row]) });
  await renderConsole({ at: '/projections', user: anAdmin });
  expect(await screen.findByText('4711')).toBeTruthy();
  expect(screen.getByText('4712')).toBeTruthy();
  expect(screen.getAllByText('1,200')).toHaveLength(2);
});

test('the figures are read again whichever projection advanced, and not while they are paused', async () => {
  const line = openLiveLine();
  const { calls } = stubApi({
    'GET /api/projections': ok([row]),
    'GET /api/live': () => line.response,
  });
  const { person } = await renderConsole({ at: '/projections', user: anAdmin });
  await screen.findByText('4711');
  const asked = () => calls.filter(({ path }) => path === '/api/projections').length;
  expect(asked()).toBe(1);
  line.moved('channel-list');
  await waitFor(() => expect(asked()).toBe(2), { timeout: 6_000 });
  await person.click(screen.getByRole('button', { name: 'Pause updates' }));
  expect(calls.filter(({ path }) => path === '/api/live')).toHaveLength(1);
});

test('a rebuild begins only after a confirmation', async () => {
  const { calls } = stubApi({
    'GET /api/projections': ok([row]),
    'POST /api/projections/ledger/rebuild': ok(),
  });
  const { person } = await renderConsole({ at: '/projections', user: anAdmin });
  await person.click(await screen.findByRole('button', { name: 'Rebuild' }));
  expect(calls.some(({ method }) => method === 'POST')).toBe(false);
  await person.click(await screen.findByRole('button', { name: 'OK' }));
  expect(calls.some(({ path }) => path === '/api/projections/ledger/rebuild')).toBe(true);
});

test('a running rebuild shows its share, a stopped projection its error', async () => {
  stubApi({
    'GET /api/projections': ok([
      { ...row, state: 'rebuilding', rebuild_progress: 0.42 },
      { ...row, name: 'usage-log', state: 'failed', error: 'column is missing' },
    ]),
  });
  await renderConsole({ at: '/projections', user: anAdmin });
  expect(await screen.findByText('42%')).toBeTruthy();
  expect(screen.getByText('column is missing')).toBeTruthy();
});

test('an ordinary user is informed that the page is not theirs', async () => {
  const { calls } = stubApi({});
  await renderConsole({ at: '/projections', user: aUser });
  expect(await screen.findByText('No permission')).toBeTruthy();
  expect(calls.some(({ path }) => path === '/api/projections')).toBe(false);
});

test('lag is drawn over time, with its highest value, and gaps are marked as not measured', async () => {
  const point = (minute: number, projection: number | null, settlement: number | null) => ({
    at: 1_770_883_200 + minute * 60,
    projection_seconds: projection,
    projection: projection ? 'ledger' : '',
    settlement_seconds: settlement,
  });
  stubApi({
    'GET /api/projections': ok([row]),
    'GET /api/projections/lag': ok([point(0, 0, null), point(1, 12.5, 0.25), point(2, 0, null)]),
  });
  await renderConsole({ at: '/projections', user: anAdmin });
  const chart = await screen.findByRole('img', { name: 'Projections, highest 12.5 s' });
  await waitFor(() => expect(chart.querySelectorAll('path')).toHaveLength(1));
  const paths = chart.querySelectorAll('path');
  expect(paths[0]?.getAttribute('d')?.split('L')).toHaveLength(3);
  expect(screen.getByText('No calls were charged in two different minutes yet.')).toBeTruthy();
});
