import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { PricePreview } from '../../../../projections/contract/price-preview.ts';
import { anAdmin, cleanBrowser, renderConsole } from '../../../testing/render-console.tsx';
import { openSection } from '../../../testing/setting-sections.ts';
import { ok, stubApi } from '../../../testing/stub-api.ts';

cleanBrowser();

const found: PricePreview = {
  calls: 20_000,
  charged: 6_150_000,
  amount: 7_050_000,
  total: 24_000,
  unpriced: 3,
  models: [
    { model_name: 'gpt-4o', calls: 15_000, charged: 4_000_000, amount: 5_000_000 },
    { model_name: 'o1', calls: 5_000, charged: 2_150_000, amount: 2_050_000 },
  ],
};

test('a change of a ratio shows what yesterday would have cost, before it is saved', async () => {
  const { calls } = stubApi({
    'GET /api/option/': ok([
      { key: 'ModelRatio', value: '{"gpt-4o":1.25}' },
      { key: 'ToolPrice', value: '{"web_search":10}' },
    ]),
    'POST /api/data/price_preview': ok(found),
  });
  const { person } = await renderConsole({ at: '/setting', user: anAdmin });
  const card = await openSection(person, 'Model ratios');
  const asked = () => calls.filter(({ path }) => path === '/api/data/price_preview');
  await person.click(card.getByRole('tab', { name: 'Model ratio' }));
  expect(card.queryByRole('status')).toBeNull();
  await person.type(card.getByLabelText('gpt-4o Ratio'), '6');
  const preview = within(await card.findByRole('status', { name: 'Effect on yesterday’s calls' }));
  expect(await preview.findByText('20,000')).toBeTruthy();
  for (const text of ['$12.30', '$14.10', '+$1.80', '$10.00', '$4.10']) {
    expect(preview.getByText(text)).toBeTruthy();
  }
  expect(preview.getByText('Counts the latest 20,000 of yesterday’s 24,000 calls.')).toBeTruthy();
  expect(preview.getByText(/no price: 3$/)).toBeTruthy();
  const body = asked().at(-1)?.body as {
    start_timestamp: number;
    end_timestamp: number;
    changes: readonly { key: string; value: string }[];
  };
  const midnight = new Date(new Date().setHours(0, 0, 0, 0)).getTime() / 1000;
  expect(body.end_timestamp).toBe(midnight - 1);
  expect(new Date(body.start_timestamp * 1000).getHours()).toBe(0);
  expect(body.changes.map(({ key, value }) => [key, JSON.parse(value)])).toEqual([
    ['ModelRatio', { 'gpt-4o': 1.256 }],
  ]);
  expect(calls.some(({ method }) => method === 'PUT')).toBe(false);
});

test('what changes no price of a call is not previewed', async () => {
  const { calls } = stubApi({
    'GET /api/option/': ok([{ key: 'UserUsableGroups', value: '{"default":"All"}' }]),
  });
  const { person } = await renderConsole({ at: '/setting', user: anAdmin });
  const card = await openSection(person, 'Groups');
  await person.type(card.getByLabelText('default Description'), ' of them');
  expect(screen.getByText('Unsaved changes: 1')).toBeTruthy();
  expect(card.queryByRole('status')).toBeNull();
  expect(calls.some(({ path }) => path === '/api/data/price_preview')).toBe(false);
});
