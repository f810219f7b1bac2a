import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { anAdmin, cleanBrowser, renderConsole } from '../../../testing/render-console.tsx';
import { ok, stubApi } from '../../../testing/stub-api.ts';

cleanBrowser();

const many = Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`model-${at}`, at + 1]));
const options = ok(
  Object.entries({
    ModelRatio: JSON.stringify({ 'gpt-4o': 1.25, ...many }),
    ModelPrice: '{"dall-e-3":0.04}',
    CompletionRatio: '{"gpt-4o":4}',
  }).map(([key, value]) => ({ key, value })),
);
const open = async (sub: 'visual' | 'unset') => {
  const { calls } = stubApi({
    'GET /api/option/': options,
    'PUT /api/option/': ok(),
    'GET /api/channel/models_enabled': ok(['gpt-4o', 'new-a', 'new-b', 'dall-e-3']),
  });
  const { person } = await renderConsole({ at: `/setting?sub=${sub}`, user: anAdmin });
  const name = sub === 'visual' ? 'Visual ratio editor' : 'Models without a price';
  await screen.findByRole('table', { name });
  const sent = () =>
    new Map(
      calls
        .filter(({ method }) => method === 'PUT')
        .map(({ body }) => body as { key: string; value: string })
        .map(({ key, value }) => [key, JSON.parse(value) as Record<string, number>]),
    );
  const click = (button: string | RegExp) =>
    person.click(screen.getByRole('button', { name: button }));
  const dialog = async (title: string) =>
    within(await screen.findByRole('dialog', { name: title }));
  return { calls, person, sent, click, dialog };
};

test('the visual editor lists every model that costs something, ten a page, and finds by name', async () => {
  const { person } = await open('visual');
  expect(screen.getAllByRole('row')).toHaveLength(11);
  expect(screen.getByText(/1.*10.*14/)).toBeTruthy();
  const heads = screen.getAllByRole('columnheader').map(({ textContent }) => textContent);
  expect(heads).toEqual([
    'Model',
    'Price per call, USD',
    'Model ratio',
    'Completion ratio',
    'Actions',
  ]);
  await person.type(screen.getByLabelText('Find a model'), 'GPT');
  expect(screen.getAllByRole('row')).toHaveLength(2);
});

test('nothing is saved before it is applied; then three maps are sent', async () => {
  const { person, sent, click, dialog } = await open('visual');
  await click('Add model');
  const add = await dialog('Add model');
  await person.type(add.getByLabelText(/^Model ?\*/), 'fresh');
  await person.click(add.getByLabelText('Prices'));
  await person.type(add.getByLabelText(/^Input price/), '3');
  await person.type(add.getByLabelText(/^Output price/), '6');
  await person.click(add.getByRole('button', { name: 'OK' }));
  await person.type(screen.getByLabelText('Find a model'), 'dall');
  await click('Edit dall-e-3');
  const edit = await dialog('Edit model');
  await person.click(edit.getByLabelText('Pay as you go'));
  await person.type(edit.getByLabelText('Model ratio'), '20');
  await person.click(edit.getByRole('button', { name: 'OK' }));
  await person.clear(screen.getByLabelText('Find a model'));
  await person.type(screen.getByLabelText('Find a model'), 'model-3');
  await click('Delete model-3');
  expect(sent().size).toBe(0);
  await click('Apply changes');
  await waitFor(() => expect(sent().size).toBe(3));
  expect(sent().get('ModelPrice')).toEqual({});
  expect(sent().get('ModelRatio')).toMatchObject({ fresh: 1.5, 'dall-e-3': 20, 'gpt-4o': 1.25 });
  expect(sent().get('ModelRatio')).not.toHaveProperty('model-3');
  expect(sent().get('CompletionRatio')).toEqual({ fresh: 2, 'gpt-4o': 4 });
});

test('what was refused of a number is gone once it is right', async () => {
  const { person, click } = await open('visual');
  await click('Apply changes');
  expect(await screen.findByText('Nothing was changed')).toBeTruthy();
  const ratio = screen.getByLabelText('gpt-4o Model ratio');
  await person.type(ratio, 'x');
  expect(await screen.findByText('Enter a number')).toBeTruthy();
  await person.type(ratio, '5');
  await waitFor(() => expect(screen.queryByText('Enter a number')).toBeNull());
  await click('Apply changes');
  expect(await screen.findByText('Saved')).toBeTruthy();
  expect(screen.queryByText('Nothing was changed')).toBeNull();
});

test('a name that exists and a price of nothing are refused', async () => {
  const { person, sent, click, dialog } = await open('visual');
  await click('Add model');
  const add = await dialog('Add model');
  await person.type(add.getByLabelText(/^Model ?\*/), 'gpt-4o');
  await person.click(add.getByRole('button', { name: 'OK' }));
  expect(await screen.findByText('This model exists already')).toBeTruthy();
  await person.type(add.getByLabelText(/^Model ?\*/), '-x');
  await person.click(add.getByLabelText('Pay per call'));
  await person.type(add.getByLabelText('Fixed price (per call)'), '0');
  await person.click(add.getByRole('button', { name: 'OK' }));
  expect(await screen.findByText('A price must be above 0')).toBeTruthy();
  expect(sent().size).toBe(0);
});

test('models that cost nothing yet are filled together, and leave the list when saved', async () => {
  const { person, sent, click, dialog } = await open('unset');
  expect(await screen.findByText('new-a')).toBeTruthy();
  expect(screen.queryByText('gpt-4o')).toBeNull();
  expect(screen.queryByText('dall-e-3')).toBeNull();
  const sizes = within(screen.getByLabelText(/per page|page size/i)).getAllByRole('option');
  expect(sizes).toHaveLength(4);
  await click('Batch set (0)');
  expect(await screen.findByText('Select the models to set first')).toBeTruthy();
  const ratio = () => screen.getByLabelText('new-a Model ratio');
  await person.type(ratio(), '1x');
  expect(await screen.findByText(/number/i)).toBeTruthy();
  expect(ratio()).toHaveProperty('value', '1');
  await person.clear(ratio());
  await person.click(screen.getByRole('checkbox', { name: 'Select all' }));
  await click('Batch set (2)');
  const fill = await dialog('Batch set (2)');
  const ok = () => person.click(fill.getByRole('button', { name: 'OK' }));
  await ok();
  expect(await screen.findByText('Please enter a value')).toBeTruthy();
  await person.type(fill.getByLabelText('Value'), 'x');
  await ok();
  expect(await screen.findByText('Please enter a valid number')).toBeTruthy();
  await person.clear(fill.getByLabelText('Value'));
  await person.click(fill.getByLabelText('Model ratio and completion ratio'));
  await ok();
  expect(await screen.findByText(/model ratio and the completion ratio/)).toBeTruthy();
  const numbers = fill.getAllByRole('textbox');
  await person.type(numbers[0] as HTMLElement, '2');
  await person.type(numbers[1] as HTMLElement, '3');
  await ok();
  expect(await screen.findByText('Model ratio and completion ratio set for 2 models')).toBeTruthy();
  await click('Apply changes');
  await waitFor(() => expect(sent().size).toBe(3));
  expect(sent().get('ModelRatio')).toMatchObject({ 'new-a': 2, 'new-b': 2, 'gpt-4o': 1.25 });
  expect(sent().get('CompletionRatio')).toEqual({ 'new-a': 3, 'new-b': 3, 'gpt-4o': 4 });
  expect(sent().get('ModelPrice')).toEqual({ 'dall-e-3': 0.04 });
});
