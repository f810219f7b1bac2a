import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { cleanBrowser, renderConsole } from '../../testing/render-console.tsx';
import { ok, statusWith, stubApi } from '../../testing/stub-api.ts';

cleanBrowser();

test('the menu of a phone leads a visitor to every public page, and closes', async () => {
  stubApi({
    'GET /api/about': ok('We are here'),
    'GET /api/status': statusWith({ docs_link: 'https://example.org/docs' }),
  });
  const { person } = await renderConsole({ at: '/login' });
  await person.click(await screen.findByRole('button', { name: 'Open menu' }));
  const menu = within(await screen.findByRole('dialog', { name: 'Menu' }));
  const target = (name: string) => menu.getByRole('link', { name }).getAttribute('href');
  expect(['Home', 'Pricing', 'About', 'Docs', 'Sign up'].map(target)).toEqual([
    '/',
    '/pricing',
    '/about',
    'https://example.org/docs',
    '/register',
  ]);
  expect(menu.queryByRole('navigation', { name: 'Side navigation' })).toBeNull();
  await person.click(menu.getByRole('link', { name: 'About' }));
  expect(await screen.findByText('We are here')).toBeTruthy();
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Menu' })).toBeNull());
});
