import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { MarginOverview } from '../../../../projections/contract/margin.ts';
import { day, hour, served } from '../../../testing/dashboard-examples.ts';
import { anAdmin, aUser, cleanBrowser, renderConsole } from '../../../testing/render-console.tsx';
import { ok, stubApi } from '../../../testing/stub-api.ts';

cleanBrowser();

const span = { start: hour, end: hour + day - 1 };
/** 500,000 units are a dollar. */
const known = {
  calls: 4,
  revenue: 2_000_000,
  cost: 1_500_000,
  margin: 500_000,
  costed_revenue: 2_000_000,
  uncosted_calls: 0,
};
const unknown = {
  calls: 1,
  revenue: 250_000,
  cost: null,
  margin: null,
  costed_revenue: 0,
  uncosted_calls: 1,
};
const partly: MarginOverview = {
  current: { ...span, ...known, calls: 5, revenue: 2_250_000, uncosted_calls: 1 },
  previous: {
    start: hour - day,
    end: hour - 1,
    ...known,
    revenue: 3_000_000,
    cost: 1_000_000,
    margin: 2_000_000,
  },
  channels: [
    { id: 4, name: 'main', ...known },
    { id: 6, name: 'spare', ...unknown },
    { id: 9, name: '', ...unknown },
  ],
};

const open = async (answer: MarginOverview) => {
  stubApi({ ...served, 'GET /api/data/margin': ok(answer) });
  await renderConsole({ at: '/detail', user: anAdmin });
  const title = await screen.findByText('Revenue', { selector: 'dt' });
  return within(title.closest('section') as HTMLElement);
};
const row = (panel: ReturnType<typeof within>, name: string) =>
  within(panel.getByText(name).closest('tr') as HTMLElement);
const figure = (panel: ReturnType<typeof within>, name: string) =>
  within(panel.getByText(name, { selector: 'dt' }).parentElement as HTMLElement);

test('revenue, cost and margin are shown against the period before', async () => {
  const panel = await open(partly);
  expect(figure(panel, 'Revenue').getByText('$4.50')).toBeTruthy();
  expect(figure(panel, 'Revenue').getByText('25% less')).toBeTruthy();
  expect(figure(panel, 'Cost').getByText('$3.00')).toBeTruthy();
  expect(figure(panel, 'Cost').getByText('50% more').className).toBe('change');
  const margin = figure(panel, 'Margin');
  expect(margin.getByText('$1.00')).toBeTruthy();
  expect(margin.getByText('25.0%')).toBeTruthy();
  expect(margin.getByText('75% less').className).toContain('is-worse');
});

test('each channel leads to its charged calls, and one without a cost to its form', async () => {
  const panel = await open(partly);
  const main = row(panel, 'main');
  expect(main.getByText('–')).toBeTruthy();
  expect(row(panel, 'spare').getAllByText('$0.50')).toHaveLength(2);
  expect(['$4.00', '$3.00', '$1.00', '25.0%'].map((text) => main.getByText(text))).toHaveLength(4);
  const calls = panel.getByRole('link', { name: 'main' }).getAttribute('href');
  expect(calls).toContain('channel=4');
  expect(calls).toContain('type=2');
  const form = row(panel, 'spare').getByRole('link', { name: 'Enter cost ratio' });
  expect(form.getAttribute('href')).toBe('/channel/edit/6');
  // A channel that was deleted has no form.
  expect(row(panel, '#9').queryByRole('link', { name: 'Enter cost ratio' })).toBeNull();
  expect(
    panel.getByText('$0.50 of the revenue, from 1 call, has no known cost and is in no margin.'),
  ).toBeTruthy();
});

test('where no cost is known, the card states it instead of a margin', async () => {
  const panel = await open({
    current: { ...span, ...unknown },
    previous: { ...span, ...known },
    channels: [{ id: 6, name: 'spare', ...unknown }],
  });
  expect(figure(panel, 'Cost').getByText('Unknown')).toBeTruthy();
  expect(figure(panel, 'Cost').getByText('Nothing to compare')).toBeTruthy();
  expect(panel.getByText(/No channel had a cost ratio/)).toBeTruthy();
  expect(panel.getByRole('link', { name: 'All channels' }).getAttribute('href')).toBe('/channel');
});

test('cost and margin are for administrators alone', async () => {
  const { calls } = stubApi(served);
  await renderConsole({ at: '/detail', user: aUser });
  await screen.findByRole('table', { name: 'Use by model' });
  expect(calls.some(({ path }) => path === '/api/data/margin')).toBe(false);
});
