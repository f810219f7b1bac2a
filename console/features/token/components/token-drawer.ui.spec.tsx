import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { rowAction } from '../../../testing/list-controls.ts';
import { aUser, cleanBrowser, renderConsole } from '../../../testing/render-console.tsx';
import { ok, refused, stubApi } from '../../../testing/stub-api.ts';
import { aTokenRow } from '../../../testing/token-examples.ts';

cleanBrowser();

const routes = {
  'GET /api/token/': ok([aTokenRow]),
  'GET /api/token/3': ok(aTokenRow),
  'GET /api/user/models': ok(['gpt-4o-mini', 'gpt-4o']),
  'GET /api/user/self/groups': ok({ default: { ratio: 1, desc: 'Default' } }),
  'POST /api/token/': ok(),
  'PUT /api/token/': ok(aTokenRow),
};

const openNew = async (person: Awaited<ReturnType<typeof renderConsole>>['person']) => {
  await person.click(await screen.findByRole('button', { name: 'Add API key' }));
  return screen.findByRole('dialog', { name: 'Create an API key' });
};

test('two requested tokens are two calls, and only the second name has a suffix', async () => {
  const { calls } = stubApi(routes);
  const { person } = await renderConsole({ at: '/token', user: aUser });
  const drawer = await openNew(person);
  await person.type(within(drawer).getByLabelText(/^Name/), 'batch');
  const count = within(drawer).getByLabelText('How many');
  await person.clear(count);
  await person.type(count, '2');
  await person.click(within(drawer).getByRole('button', { name: 'Submit' }));
  await screen.findByText(/The API key is ready/);
  const bodies = calls.filter(({ method }) => method === 'POST').map(({ body }) => body);
  expect(bodies).toMatchObject([
    { name: 'batch', remain_quota: 500_000, expired_time: -1, group: '' },
    { name: expect.stringMatching(/^batch-[0-9a-z]{6}$/) },
  ]);
});

/** A new token with a name, and what is sent of it. */
const openNamed = async () => {
  const { calls } = stubApi(routes);
  const { person } = await renderConsole({ at: '/token', user: aUser });
  const drawer = within(await openNew(person));
  await person.type(drawer.getByLabelText(/^Name/), 'app');
  const submit = () => person.click(drawer.getByRole('button', { name: 'Submit' }));
  const sent = () =>
    waitFor(() => {
      const post = calls.find(({ method }) => method === 'POST');
      if (post === undefined) throw new Error('nothing was sent yet');
      return post.body as Readonly<Record<string, unknown>>;
    });
  return { drawer, person, submit, sent };
};
const unixNow = () => Math.floor(Date.now() / 1000);

test.each([
  ['token-24', 'One hour', 3_600],
  ['token-25', 'One day', 86_400],
  ['token-26', 'One month', 30 * 86_400],
] as const)('%s: the expiry preset %s ends %d seconds from now', async (_, preset, seconds) => {
  const { drawer, person, submit, sent } = await openNamed();
  const from = unixNow();
  await person.click(drawer.getByRole('button', { name: new RegExp(preset, 'i') }));
  const until = unixNow();
  await submit();
  const { expired_time } = await sent();
  expect(expired_time).toBeGreaterThanOrEqual(from + seconds);
  expect(expired_time).toBeLessThanOrEqual(until + seconds);
});

test('unlimited quota is switched on, and off again to the earlier quota', async () => {
  const { drawer, person, submit, sent } = await openNamed();
  const quota = drawer.getByLabelText('Quota');
  await person.click(drawer.getByRole('button', { name: 'Make unlimited' }));
  expect(quota).toHaveProperty('disabled', true);
  await person.click(drawer.getByRole('button', { name: 'Set a limit' }));
  expect(quota).toHaveProperty('disabled', false);
  await submit();
  expect(await sent()).toMatchObject({ unlimited_quota: false, remain_quota: 500_000 });
});

test('a token is limited to the models that are chosen; the choice rests while the limit is off', async () => {
  const { drawer, person, submit, sent } = await openNamed();
  const models = drawer.getByLabelText('Allowed models');
  const limit = drawer.getByLabelText(/Limit.*models/i);
  expect(models).toHaveProperty('disabled', true);
  await person.click(limit);
  await person.type(models, 'mini{Enter}');
  await person.click(limit);
  expect(models).toHaveProperty('disabled', true);
  expect(drawer.getByText('gpt-4o-mini')).toBeTruthy();
  await person.click(limit);
  await person.click(drawer.getByLabelText('Allowed models'));
  await person.click(await drawer.findByText('gpt-4o'));
  await submit();
  expect(await sent()).toMatchObject({
    model_limits_enabled: true,
    model_limits: 'gpt-4o-mini,gpt-4o',
  });
});

test('a token without a name is not sent', async () => {
  const { calls } = stubApi(routes);
  const { person } = await renderConsole({ at: '/token', user: aUser });
  const drawer = await openNew(person);
  await person.click(within(drawer).getByRole('button', { name: 'Submit' }));
  const problem = await screen.findByText('Please enter a name!');
  const name = within(drawer).getByLabelText(/^Name \*/);
  expect(name.getAttribute('aria-invalid')).toBe('true');
  expect(name.getAttribute('aria-describedby')).toBe(problem.id);
  await waitFor(() => expect(document.activeElement).toBe(name));
  expect(calls.some(({ method }) => method === 'POST')).toBe(false);
  await person.type(name, 'web');
  expect(screen.queryByText('Please enter a name!')).toBeNull();
});

test('a drawer with edits asks before it closes, and gives the focus back', async () => {
  stubApi(routes);
  const { person } = await renderConsole({ at: '/token', user: aUser });
  const drawer = await openNew(person);
  await person.type(within(drawer).getByLabelText(/^Name \*/), 'web');
  await person.click(within(drawer).getByRole('button', { name: 'Cancel' }));
  await person.click(await screen.findByRole('button', { name: 'Keep editing' }));
  expect(within(drawer).getByLabelText(/^Name \*/)).toHaveProperty('value', 'web');
  await person.click(within(drawer).getByRole('button', { name: 'Cancel' }));
  const discard = await screen.findAllByRole('button', { name: 'Discard changes' });
  await person.click(discard[discard.length - 1] as HTMLElement);
  await waitFor(() => expect(screen.queryByLabelText(/^Name \*/)).toBeNull());
  await waitFor(() => expect(document.activeElement?.textContent).toContain('Add'));
});

test('a drawer without edits closes at once', async () => {
  stubApi(routes);
  const { person } = await renderConsole({ at: '/token', user: aUser });
  const drawer = await openNew(person);
  await person.click(within(drawer).getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByLabelText(/^Name \*/)).toBeNull());
  expect(screen.queryByText('Discard your changes?')).toBeNull();
});

test('a token that cannot be read is requested again, and edited then', async () => {
  let answer: unknown = refused('The token is out of reach');
  stubApi({ ...routes, 'GET /api/token/3': () => answer });
  const { person } = await renderConsole({ at: '/token', user: aUser });
  const line = (await screen.findByText('web')).closest('tr') as HTMLElement;
  await person.click(await rowAction(person, line, 'Edit'));
  const drawer = within(await screen.findByRole('dialog'));
  expect(await drawer.findByText('The token is out of reach')).toBeTruthy();
  answer = routes['GET /api/token/3'];
  await person.click(drawer.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByLabelText(/^Name \*/)).toHaveProperty('value', 'web');
});

test('editing starts from what the server has now and sends the whole token', async () => {
  const { calls } = stubApi({
    ...routes,
    'GET /api/token/3': ok({ ...aTokenRow, remain_quota: 42 }),
  });
  const { person } = await renderConsole({ at: '/token', user: aUser });
  const line = (await screen.findByText('web')).closest('tr') as HTMLElement;
  await person.click(await rowAction(person, line, 'Edit'));
  const name = await screen.findByLabelText(/^Name \*/);
  await person.clear(name);
  await person.type(name, 'mobile');
  await person.click(screen.getByRole('button', { name: 'Submit' }));
  await waitFor(() => expect(calls.some(({ method }) => method === 'PUT')).toBe(true));
  expect(calls.find(({ method }) => method === 'PUT')?.body).toMatchObject({
    id: 3,
    name: 'mobile',
    remain_quota: 42,
    remain_quota_seen: 42,
    expired_time: -1,
  });
});

test('limits of calls are set with the token; an empty one is none, and a broken one is not sent', async () => {
  const { drawer, person, submit, sent } = await openNamed();
  const requests = drawer.getByLabelText('Requests a minute');
  await person.type(requests, '2.5');
  await submit();
  expect(await screen.findByText('Enter a whole number of at least 0')).toBeTruthy();
  expect(requests.getAttribute('aria-invalid')).toBe('true');
  await person.clear(requests);
  await person.type(requests, '60');
  await person.type(drawer.getByLabelText('Calls at the same time'), '4');
  await submit();
  expect(await sent()).toMatchObject({
    requests_per_minute: 60,
    tokens_per_minute: 0,
    concurrent_requests: 4,
  });
});
