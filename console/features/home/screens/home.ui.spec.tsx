import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { anAdmin, cleanBrowser, renderConsole } from '../../../testing/render-console.tsx';
import { ok, statusWith, stubApi } from '../../../testing/stub-api.ts';

cleanBrowser();

test('without words of the operator the home page shows the product and what is switched on', async () => {
  stubApi({ 'GET /api/notice': ok(''), 'GET /api/home_page_content': ok('') });
  await renderConsole({ at: '/' });
  expect(await screen.findByText('Every AI model behind one API')).toBeTruthy();
});

test('the home page names a few prices in dollars per million tokens', async () => {
  const row = (model_name: string, has_price: boolean) => ({
    model_name,
    quota_type: 0,
    model_ratio: 0.75,
    completion_ratio: 4,
    model_price: -1,
    by_second: false,
    has_price,
    owner_by: 'openai',
    enable_groups: ['default'],
  });
  stubApi({
    'GET /api/notice': ok(''),
    'GET /api/home_page_content': ok(''),
    'GET /api/pricing': {
      ...ok([row('priced', true), row('refused', false)]),
      group_ratio: { default: 2 },
      usable_group: {},
    },
  });
  await renderConsole({ at: '/' });
  const table = await screen.findByRole('table', { name: 'Model prices' });
  const cells = within(table)
    .getAllByRole('cell')
    .map(({ textContent }) => textContent);
  expect(cells).toEqual(['$3.00', '$12.00']);
  expect(screen.queryByText('refused')).toBeNull();
});

test('a notice is shown until it is closed, and the same text is not shown twice', async () => {
  stubApi({
    'GET /api/notice': ok('We move on **Friday**'),
    'GET /api/home_page_content': ok('<h2>Our site</h2>'),
  });
  const first = await renderConsole({ at: '/' });
  expect(await screen.findByText('Our site')).toBeTruthy();
  expect(await screen.findByText('Friday')).toBeTruthy();
  await first.person.click(screen.getByRole('button', { name: 'Close notice' }));
  first.unmount();
  await renderConsole({ at: '/' });
  expect(await screen.findByText('Our site')).toBeTruthy();
  expect(screen.queryByText('Friday')).toBeNull();
});

test('until the site is set up the home page is the set-up page', async () => {
  stubApi({
    'GET /api/status': statusWith({ setup: false }),
    'GET /api/setup': ok({ status: false, root_init: false, database_type: 'postgres' }),
  });
  await renderConsole({ at: '/' });
  await waitFor(() => expect(window.location.pathname).toBe('/setup'));
});

test("about shows the operator's text, or that nothing is written yet", async () => {
  stubApi({ 'GET /api/about': ok('') });
  await renderConsole({ at: '/about' });
  expect(await screen.findByText('Nothing is said about this site yet')).toBeTruthy();
});

test('the hint where to write about the site is shown to administrators alone', async () => {
  stubApi({ 'GET /api/about': ok('') });
  const visit = await renderConsole({ at: '/about' });
  await screen.findByText('Nothing is said about this site yet');
  expect(screen.queryByText(/under Settings/)).toBeNull();
  visit.unmount();
  await renderConsole({ at: '/about', user: anAdmin });
  expect(await screen.findByText(/under Settings/)).toBeTruthy();
});
