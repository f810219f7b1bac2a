import { readFileSync } from 'node:fs';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { cleanBrowser, renderConsole } from '../../testing/render-console.tsx';
import { stubApi } from '../../testing/stub-api.ts';

cleanBrowser();

test('the page of examples shows every token of the style sheet', async () => {
  stubApi({});
  await renderConsole({ at: '/design' });
  await screen.findByRole('heading', { name: 'Design' });
  const shown = [...document.querySelectorAll('[data-token]')].map((element) =>
    element.getAttribute('data-token'),
  );
  const css = readFileSync('console/app/styles/tokens.css', 'utf8');
  const defined = [...css.matchAll(/^ {2}--([\w-]+):/gm)]
    .map(([, name]) => name)
    .filter((name) => !name?.startsWith('bp-'));
  expect([...new Set(shown)].sort()).toEqual([...new Set(defined)].sort());
});
