import { screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { aUser, cleanBrowser, renderConsole } from '../../../testing/render-console.tsx';
import { stubApi } from '../../../testing/stub-api.ts';

cleanBrowser();

const aModel = (model_name: string, changes: object = {}) => ({
  model_name,
  quota_type: 0,
  model_ratio: 1.25,
  completion_ratio: 4,
  model_price: 0,
  by_second: false,
  has_price: true,
  owner_by: '',
  enable_groups: ['default', 'vip'],
  ...changes,
});
const pricing = {
  success: true,
  message: '',
  data: [
    aModel('claude-3', { enable_groups: ['vip'] }),
    aModel('dall-e-3', { quota_type: 1, model_price: 0.04, enable_groups: ['default'] }),
    aModel('gpt-4o'),
    aModel('sora-2', { quota_type: 1, model_price: 0.1, by_second: true }),
  ],
  group_ratio: { default: 1, vip: 2 },
  usable_group: { default: 'Everybody', vip: 'Friends' },
};
const served = { 'GET /api/pricing': pricing };
const rowOf = (name: string) => within(screen.getByText(name).closest('tr') as HTMLElement);

test('a visitor without a session sees every price at the default ratio', async () => {
  stubApi(served);
  await renderConsole({ at: '/pricing' });
  expect(await screen.findByText('gpt-4o')).toBeTruthy();
  expect(screen.getByText(/You are not signed in.*ratio: 1$/)).toBeTruthy();
  expect(screen.getByText(/group ratio × model ratio/)).toBeTruthy();
  const names = screen.getAllByRole('row').map(({ textContent }) => textContent);
  expect(names[1]).toContain('gpt-4o');
  expect(rowOf('gpt-4o').getByText('Prompt $2.50 / 1M tokens')).toBeTruthy();
  expect(rowOf('gpt-4o').getByText('Completion $10.00 / 1M tokens')).toBeTruthy();
  expect(rowOf('gpt-4o').getByText('Pay as you go')).toBeTruthy();
  expect(rowOf('dall-e-3').getByText('Pay per call')).toBeTruthy();
  expect(rowOf('sora-2').getByText('Pay per second')).toBeTruthy();
  expect(rowOf('sora-2').getByText('Model price: $0.10 / second')).toBeTruthy();
  expect(rowOf('dall-e-3').getByText('Model price: $0.04 / call')).toBeTruthy();
  expect(screen.queryByRole('navigation', { name: 'Pages of the list' })).toBeNull();
});

test('the selected group decides what is available and what it costs', async () => {
  stubApi(served);
  const { person } = await renderConsole({ at: '/pricing', user: aUser });
  await screen.findByText('claude-3');
  expect(screen.getByText('Your group is default, its ratio is 1')).toBeTruthy();
  expect(rowOf('claude-3').getByRole('img', { name: /cannot use/ })).toBeTruthy();
  await person.click(rowOf('gpt-4o').getByRole('button', { name: 'vip' }));
  expect(await screen.findByText('Showing prices of group vip, ratio 2')).toBeTruthy();
  expect(rowOf('gpt-4o').getByText('Prompt $5.00 / 1M tokens')).toBeTruthy();
  expect(rowOf('claude-3').getByRole('img', { name: /can use/ })).toBeTruthy();
  expect(window.location.search).toBe('?group=vip');
});

test('models are found by any part of their name, and chosen names are copied', async () => {
  stubApi(served);
  const { person } = await renderConsole({ at: '/pricing' });
  const written: string[] = [];
  vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(async (text) => {
    written.push(text);
  });
  await person.click(await screen.findByText('claude-3'));
  await person.type(screen.getByLabelText('Search model names'), 'GPT');
  expect(screen.queryByText('claude-3')).toBeNull();
  await person.clear(screen.getByLabelText('Search model names'));
  expect(screen.getByRole('button', { name: 'Copy selected models' })).toHaveProperty(
    'disabled',
    true,
  );
  await person.click(rowOf('gpt-4o').getByRole('checkbox'));
  await person.click(rowOf('dall-e-3').getByRole('checkbox'));
  await person.click(screen.getByRole('button', { name: 'Copy selected models' }));
  expect(written).toEqual(['claude-3', 'gpt-4o,dall-e-3']);
});

test('the list can be sorted by availability, and back', async () => {
  stubApi(served);
  const { person } = await renderConsole({ at: '/pricing' });
  await screen.findByText('gpt-4o');
  const first = () => screen.getAllByRole('row')[1]?.textContent ?? '';
  await person.click(screen.getByRole('button', { name: 'Availability' }));
  await person.click(screen.getByRole('button', { name: 'Availability' }));
  expect(first()).toContain('claude-3');
  await person.click(screen.getByRole('button', { name: 'Availability' }));
  expect(first()).toContain('gpt-4o');
});

test('a model without a price is marked, and shows no figure that is not charged', async () => {
  const unset = aModel('gpt-4.1', { model_ratio: 37.5, has_price: false });
  stubApi({ 'GET /api/pricing': { ...pricing, data: [unset] } });
  await renderConsole({ at: '/pricing' });
  expect(await screen.findByText('No price set')).toBeTruthy();
  expect(screen.queryByText(/\$75/)).toBeNull();
  expect(screen.queryByText(/37\.5/)).toBeNull();
});
