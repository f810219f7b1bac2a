import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { anAdmin, cleanBrowser, renderConsole } from '../../../testing/render-console.tsx';
import { ok, stubApi } from '../../../testing/stub-api.ts';

cleanBrowser();

const row = {
  id: 5,
  type: 1,
  key: '',
  name: 'main',
  status: 1,
  models: 'gpt-4o',
  group: 'default',
  tag: '',
  priority: 0,
  weight: 0,
  auto_ban: 1,
  balance: 0,
  used_quota: 0,
  response_time: 0,
  test_time: 0,
  created_time: 1,
  other_info: '',
};
const lists = { 'GET /api/channel/': ok([row]), 'GET /api/group/': ok(['default']) };

test('a channel is copied by the server, so that its key stays there', async () => {
  const { calls } = stubApi({ ...lists, 'POST /api/channel/': ok() });
  const { person } = await renderConsole({ at: '/channel', user: anAdmin });
  await person.click(await screen.findByRole('button', { name: 'Copy' }));
  await person.click(await screen.findByRole('button', { name: 'OK' }));
  await waitFor(() =>
    expect(calls.map(({ body }) => body)).toContainEqual({ copy_from: 5, name: 'main_copy' }),
  );
});

test('selected channels get a tag in one act', async () => {
  const { calls } = stubApi({ ...lists, 'POST /api/channel/batch/tag': ok(1) });
  const { person } = await renderConsole({ at: '/channel', user: anAdmin });
  await screen.findByText('main');
  await person.click(screen.getByLabelText('Batch mode'));
  await person.click(screen.getByRole('checkbox', { name: 'Select this row' }));
  await person.click(screen.getByRole('button', { name: 'Set tag' }));
  await person.type(await screen.findByLabelText('Tag'), 'spare');
  await person.click(screen.getByRole('button', { name: 'OK' }));
  await waitFor(() =>
    expect(calls.map(({ body }) => body)).toContainEqual({ ids: [5], tag: 'spare' }),
  );
});
