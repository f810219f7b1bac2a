import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { cleanBrowser, renderConsole } from '../../../testing/render-console.tsx';
import { ok, refused, type StubRoutes, statusWith, stubApi } from '../../../testing/stub-api.ts';

cleanBrowser();

const state = (changes: object = {}) =>
  ok({ status: false, root_init: false, database_type: 'postgres', ...changes });
const open = async (routes: StubRoutes = {}) => {
  const { calls } = stubApi({
    'GET /api/status': statusWith({ setup: false }),
    'GET /api/setup': state(),
    'POST /api/setup': ok(),
    ...routes,
  });
  const { person } = await renderConsole({ at: '/setup' });
  const submit = async () => {
    const button = await screen.findByRole('button', { name: 'Initialise system' });
    await waitFor(() => expect(button).toHaveProperty('disabled', false));
    await person.click(button);
  };
  const sent = () => calls.filter(({ method }) => method === 'POST').map(({ body }) => body);
  return { person, submit, sent };
};

test('the first administrator needs a name and a password typed twice alike', async () => {
  const { person, submit, sent } = await open();
  await submit();
  expect(await screen.findByText("Please enter the administrator's user name")).toBeTruthy();
  expect(screen.queryByText('SQLite database')).toBeNull();
  await person.type(screen.getByLabelText(/^User name/), 'root');
  await person.type(screen.getByLabelText(/^Password/), 'short');
  await submit();
  expect(await screen.findByText('The password needs at least 8 characters')).toBeTruthy();
  await person.type(screen.getByLabelText(/^Password/), '-but-longer');
  await person.type(screen.getByLabelText(/^Confirm password/), 'other');
  await submit();
  expect(await screen.findByText('The two passwords differ')).toBeTruthy();
  expect(sent()).toEqual([]);
  await person.clear(screen.getByLabelText(/^Confirm password/));
  await person.type(screen.getByLabelText(/^Confirm password/), 'short-but-longer');
  await submit();
  await waitFor(() =>
    expect(sent()).toEqual([
      {
        username: 'root',
        password: 'short-but-longer',
        confirmPassword: 'short-but-longer',
        SelfUseModeEnabled: false,
        DemoSiteEnabled: false,
      },
    ]),
  );
});

test('where the administrator exists, only the mode is required and sent', async () => {
  const { person, submit, sent } = await open({
    'GET /api/setup': state({ root_init: true, database_type: 'sqlite' }),
    'POST /api/setup': refused('not now'),
  });
  expect(await screen.findByText('SQLite database')).toBeTruthy();
  expect(screen.queryByLabelText(/^User name/)).toBeNull();
  await person.click(screen.getByRole('button', { name: 'About the usage modes' }));
  const help = within(await screen.findByRole('dialog', { name: 'About the usage modes' }));
  expect(help.getByText(/models need no price/)).toBeTruthy();
  await person.click(help.getByRole('button', { name: 'Close' }));
  await person.click(screen.getByLabelText(/^Self-use/));
  await submit();
  await waitFor(() => expect(sent()).toHaveLength(1));
  await person.click(screen.getByLabelText(/^Demo site/));
  await submit();
  await waitFor(() => expect(sent()).toHaveLength(2));
  expect(sent()).toMatchObject([
    { SelfUseModeEnabled: true, DemoSiteEnabled: false },
    { SelfUseModeEnabled: false, DemoSiteEnabled: true },
  ]);
});

test('a refusal is shown with the text of the server', async () => {
  const { submit } = await open({
    'GET /api/setup': state({ root_init: true }),
    'POST /api/setup': refused('the database is away'),
  });
  await submit();
  expect(await screen.findByText('the database is away')).toBeTruthy();
});

test('a site that is set up has no set-up page', async () => {
  stubApi({
    'GET /api/setup': state({ status: true }),
    'GET /api/notice': ok(''),
    'GET /api/home_page_content': ok(''),
  });
  await renderConsole({ at: '/setup' });
  await waitFor(() => expect(window.location.pathname).toBe('/'));
});

test('where the state of the set-up cannot be read, the page reports it and offers to try again', async () => {
  let isAway = true;
  const { person } = await open({
    'GET /api/setup': () => (isAway ? refused('the store does not answer') : state()),
  });
  expect((await screen.findAllByText('the store does not answer')).length).toBeGreaterThan(0);
  expect(screen.queryByRole('button', { name: 'Initialise system' })).toBeNull();
  isAway = false;
  await person.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('button', { name: 'Initialise system' })).toBeTruthy();
});
