import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { anAdmin, cleanBrowser, renderConsole } from '../../testing/render-console.tsx';
import { ok, stubApi } from '../../testing/stub-api.ts';

cleanBrowser();

test.each([
  ['/user', 'Users'],
  ['/user/edit/2', 'Users'],
  ['/user/edit', 'Personal settings'],
  ['/channel/add', 'Channels'],
])('at %s the entry that is marked is %s', async (at, name) => {
  stubApi({
    'GET /api/user/': ok({ items: [], total: 0, page: 1, page_size: 10 }),
    'GET /api/channel/': ok([]),
  });
  await renderConsole({ at, user: anAdmin });
  const nav = within(await screen.findByRole('navigation', { name: 'Side navigation' }));
  const marked = nav.getAllByRole('link', { current: 'page' });
  expect(marked.map(({ textContent }) => textContent)).toEqual([name]);
});
