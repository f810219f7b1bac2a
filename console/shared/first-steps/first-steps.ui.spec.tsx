import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { anAdmin, cleanBrowser, renderConsole } from '../../testing/render-console.tsx';
import { ok, stubApi } from '../../testing/stub-api.ts';
import { aTokenRow } from '../../testing/token-examples.ts';

cleanBrowser();

const pricing = {
  success: true,
  message: '',
  data: [
    {
      model_name: 'gpt-4o',
      quota_type: 0,
      model_ratio: 1.25,
      completion_ratio: 4,
      model_price: -1,
      has_price: true,
      owner_by: 'openai',
      enable_groups: ['default'],
    },
  ],
  group_ratio: { default: 1 },
  usable_group: {},
};
const served = {
  'GET /api/user/self': ok({ quota: 0, used_quota: 0, request_count: 0 }),
  'GET /api/channel/': ok([]),
  'GET /api/pricing': { ...pricing, data: [] },
  'GET /api/token/': ok([]),
};

test('an empty site leads its administrator to a channel first, and says what to run without one', async () => {
  stubApi(served);
  await renderConsole({ at: '/token', user: anAdmin });
  const steps = within(await screen.findByRole('region', { name: 'Get started' }));
  expect(steps.getAllByRole('listitem')).toHaveLength(4);
  const links = steps.getAllByRole('link');
  expect(links.map((link) => link.getAttribute('href'))).toEqual(['/channel/add']);
  expect(steps.getByText('npm run dev:upstream')).toBeTruthy();
});

test('what is done is ticked off, and the next step is the one with a link', async () => {
  stubApi({ ...served, 'GET /api/pricing': pricing, 'GET /api/token/': ok([aTokenRow]) });
  await renderConsole({ at: '/token', user: anAdmin });
  const steps = within(await screen.findByRole('region', { name: 'Get started' }));
  expect(steps.getAllByText('Done')).toHaveLength(2);
  expect(steps.getByRole('link', { name: 'Add a channel' })).toBeTruthy();
});
