import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { cleanBrowser, renderConsole } from '../../../testing/render-console.tsx';
import { ok, statusWith, stubApi } from '../../../testing/stub-api.ts';

cleanBrowser();

test('without words of the operator the home page shows the product and what is switched on', async () => {
  stubApi({ 'GET /api/notice': ok(''), 'GET /api/home_page_content': ok('') });
  await renderConsole({ at: '/' });
  expect(await screen.findByText('One door to every model')).toBeTruthy();
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

test('about tells what the operator wrote, or that nothing is written yet', async () => {
  stubApi({ 'GET /api/about': ok('') });
  await renderConsole({ at: '/about' });
  expect(await screen.findByText('Nothing is said about this site yet')).toBeTruthy();
});
