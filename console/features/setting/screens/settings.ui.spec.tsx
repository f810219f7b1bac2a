import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { anAdmin, cleanBrowser, renderConsole } from '../../../testing/render-console.tsx';
import { ok, stubApi } from '../../../testing/stub-api.ts';

cleanBrowser();

const options = ok([
  { key: 'ModelRatio', value: '{"gpt-4o":1.25}' },
  { key: 'ModelPrice', value: '{}' },
  { key: 'CompletionRatio', value: '{}' },
  { key: 'SMTPServer', value: 'mail.test' },
  { key: 'SMTPPort', value: '587' },
  { key: 'SMTPSSLEnabled', value: 'false' },
]);

test('only what was changed is sent, switches after what they may need', async () => {
  const { calls } = stubApi({ 'GET /api/option/': options, 'PUT /api/option/': ok() });
  const { person } = await renderConsole({ at: '/setting?tab=system', user: anAdmin });
  const card = within(await screen.findByRole('region', { name: 'Mail (SMTP)' }));
  await person.click(card.getByLabelText('SSL'));
  await person.clear(card.getByLabelText('Port'));
  await person.type(card.getByLabelText('Port'), '465');
  await person.click(card.getByRole('button', { name: 'Save' }));
  const puts = () => calls.filter(({ method }) => method === 'PUT').map(({ body }) => body);
  await waitFor(() =>
    expect(puts()).toEqual([
      { key: 'SMTPPort', value: '465' },
      { key: 'SMTPSSLEnabled', value: 'true' },
    ]),
  );
});

test('a ratio map that is no JSON is not sent', async () => {
  const { calls } = stubApi({ 'GET /api/option/': options, 'PUT /api/option/': ok() });
  const { person } = await renderConsole({ at: '/setting', user: anAdmin });
  const card = within(await screen.findByRole('region', { name: 'Model ratios' }));
  await person.type(card.getByLabelText('Model ratio'), ',');
  await person.click(card.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Please check what was entered')).toBeTruthy();
  expect(calls.some(({ method }) => method === 'PUT')).toBe(false);
});

test('the visual editor saves nothing before it is applied', async () => {
  const { calls } = stubApi({ 'GET /api/option/': options, 'PUT /api/option/': ok() });
  const { person } = await renderConsole({ at: '/setting', user: anAdmin });
  const field = await screen.findByLabelText('gpt-4o Completion ratio');
  await person.type(field, '4');
  expect(calls.some(({ method }) => method === 'PUT')).toBe(false);
  await person.click(screen.getByRole('button', { name: 'Apply changes' }));
  await waitFor(() =>
    expect(calls.map(({ body }) => body)).toContainEqual({
      key: 'CompletionRatio',
      value: '{"gpt-4o":4}',
    }),
  );
});
