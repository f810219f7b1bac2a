import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { anAdmin, cleanBrowser, renderConsole } from '../../testing/render-console.tsx';
import { ok, refused, stubApi } from '../../testing/stub-api.ts';
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

test('an empty site leads its administrator to a channel first, and offers a test provider', async () => {
  stubApi(served);
  await renderConsole({ at: '/token', user: anAdmin });
  const steps = within(await screen.findByRole('region', { name: 'Get started' }));
  expect(steps.getAllByRole('listitem')).toHaveLength(4);
  const links = steps.getAllByRole('link');
  expect(links.map((link) => link.getAttribute('href'))).toEqual(['/channel/add']);
  expect(steps.getByRole('button', { name: 'Add the test provider' })).toBeTruthy();
});

/** In jsdom the console is on `localhost`, as on the machine of a person who tries it. */
test('one click adds the test provider with the models that it names', async () => {
  const { calls } = stubApi({
    ...served,
    'POST /api/channel/fetch_models': ok(['gpt-4o-mini', 'gpt-4o']),
    'POST /api/channel/': ok(),
  });
  const { person } = await renderConsole({ at: '/token', user: anAdmin });
  await person.click(await screen.findByRole('button', { name: 'Add the test provider' }));
  expect(await screen.findByText('Test provider added')).toBeTruthy();
  const body = (path: string) =>
    calls.find((call) => call.method === 'POST' && call.path === path)?.body;
  expect(body('/api/channel/fetch_models')).toMatchObject({ base_url: 'http://127.0.0.1:4010' });
  expect(body('/api/channel/')).toMatchObject({
    type: 1,
    name: 'Test provider (made-up answers)',
    base_url: 'http://127.0.0.1:4010',
    models: 'gpt-4o-mini,gpt-4o',
    group: 'default',
  });
});

test('where the test provider does not run, no channel is made and the page shows how to start it', async () => {
  const { calls } = stubApi({
    ...served,
    'POST /api/channel/fetch_models': refused('no answer', 'channel.models-not-fetched'),
  });
  const { person } = await renderConsole({ at: '/token', user: anAdmin });
  await person.click(await screen.findByRole('button', { name: 'Add the test provider' }));
  expect(await screen.findByText(/Nothing answers on 127.0.0.1:4010/)).toBeTruthy();
  expect(screen.getByText('npm run dev:upstream')).toBeTruthy();
  expect(calls.some(({ method, path }) => method === 'POST' && path === '/api/channel/')).toBe(
    false,
  );
});

test('what is done is ticked off, and the next step is the one with a link', async () => {
  stubApi({ ...served, 'GET /api/pricing': pricing, 'GET /api/token/': ok([aTokenRow]) });
  await renderConsole({ at: '/token', user: anAdmin });
  const steps = within(await screen.findByRole('region', { name: 'Get started' }));
  expect(steps.getAllByText('Done')).toHaveLength(2);
  expect(steps.getByRole('link', { name: 'Add a channel' })).toBeTruthy();
});
