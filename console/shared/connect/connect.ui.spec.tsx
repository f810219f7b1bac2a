import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { aUser, cleanBrowser, renderConsole } from '../../testing/render-console.tsx';
import { ok, statusWith, stubApi } from '../../testing/stub-api.ts';
import { aTokenRow } from '../../testing/token-examples.ts';

cleanBrowser();

const self = (request_count: number) => ok({ quota: 0, used_quota: 0, request_count });
const tokens = [
  { ...aTokenRow, id: 3, name: 'web', key: 'a'.repeat(48) },
  { ...aTokenRow, id: 4, name: 'off', key: 'b'.repeat(48), status: 2 },
  { ...aTokenRow, id: 5, name: 'batch', key: 'c'.repeat(48) },
];
const served = {
  'GET /api/status': statusWith({ server_address: 'https://ai.example.org/' }),
  'GET /api/user/self': self(3),
  'GET /api/user/models': ok(['gpt-4o', 'claude-sonnet-4']),
  'GET /api/token/': ok(tokens),
};

test('the page of the keys shows how to call in the selected client, with the key chosen there', async () => {
  stubApi(served);
  const { person } = await renderConsole({ at: '/token', user: aUser });
  await screen.findByText('batch');
  await person.click(screen.getByRole('button', { name: 'How to connect' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'How to connect' }));
  const choice = (await dialog.findByLabelText('API key')) as HTMLSelectElement;
  expect([...choice.options].map(({ text }) => text)).toEqual(['web', 'batch']);
  await person.selectOptions(choice, 'batch');
  await person.click(dialog.getByRole('tab', { name: 'Claude Code' }));
  expect(await dialog.findByText(/ANTHROPIC_BASE_URL="https:\/\/ai\.example\.org"/)).toBeTruthy();
  expect(dialog.queryByText(/cccccccc/)).toBeNull();
  await person.click(dialog.getByRole('button', { name: 'Copy' }));
  const copied = await navigator.clipboard.readText();
  expect(copied).toContain(`ANTHROPIC_API_KEY="sk-${'c'.repeat(48)}"`);
  expect(copied).toContain('claude-sonnet-4');
});

test('a visitor sees the address of the site, and fills in the key', async () => {
  const { calls } = stubApi({
    ...served,
    'GET /api/notice': ok(''),
    'GET /api/home_page_content': ok(''),
  });
  await renderConsole({ at: '/' });
  expect(await screen.findByText(/curl https:\/\/ai\.example\.org\/v1\/chat/)).toBeTruthy();
  expect(screen.getAllByRole('link', { name: 'Sign up' })).toHaveLength(2);
  expect(calls.some(({ path }) => path.startsWith('/api/token'))).toBe(false);
});

test('a new account is led to its first call, and left alone after it', async () => {
  stubApi({ ...served, 'GET /api/user/self': self(0), 'GET /api/token/': ok([]) });
  const first = await renderConsole({ at: '/token', user: aUser });
  const steps = within(await screen.findByRole('region', { name: 'Get started' }));
  expect(steps.getByRole('link', { name: 'Create an API key' })).toBeTruthy();
  expect(steps.queryByText('Add a channel')).toBeNull();
  first.unmount();
  stubApi(served);
  await renderConsole({ at: '/token', user: aUser });
  await screen.findByText('batch');
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Get started' })).toBeNull());
});
