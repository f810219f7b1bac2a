import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { anAdmin, cleanBrowser, renderConsole } from '../../../testing/render-console.tsx';
import { openSection } from '../../../testing/setting-sections.ts';
import { ok, statusWith, stubApi } from '../../../testing/stub-api.ts';

cleanBrowser();

const stored = '[{"One":"https://one.test/?k={key}"},{"Two":"two://{address}"}]';

const open = async (value = stored) => {
  let chats = JSON.parse(stored);
  const { calls } = stubApi({
    'GET /api/status': () => statusWith({ chats }),
    'GET /api/option/': ok([{ key: 'Chats', value }]),
    'PUT /api/option/': ({ body }: { body: unknown }) => {
      chats = JSON.parse((body as { value: string }).value);
      return ok();
    },
  });
  const { person } = await renderConsole({ at: '/setting', user: anAdmin });
  const card = await openSection(person, 'Chat links');
  const click = (name: string) => person.click(card.getByRole('button', { name }));
  const type = async (label: string, text: string) => {
    await person.click(card.getByLabelText(label));
    await person.paste(text);
  };
  const sent = () => {
    const put = calls.find(({ method }) => method === 'PUT')?.body as { value: string } | undefined;
    return put && JSON.parse(put.value);
  };
  return { card, click, person, sent, type };
};

test('chat programs are added, moved and removed in a list, and are then in the navigation', async () => {
  const { click, sent, type } = await open();
  await click('Add a chat program');
  await type('Name 3', 'Three');
  await type('Address 3', 'https://three.test/{key}');
  await click('Move Three up');
  await click('Move Three up');
  await click('Remove One');
  await click('Save');
  await waitFor(() =>
    expect(sent()).toEqual([{ Three: 'https://three.test/{key}' }, { Two: 'two://{address}' }]),
  );
  const entry = await screen.findByRole('link', { name: 'Three' });
  expect(entry.getAttribute('href')).toBe('/chat/0');
});

test('an entry that leads nowhere is named, and nothing is sent', async () => {
  const { card, click, person, sent, type } = await open();
  await click('Add a chat program');
  expect(card.getByText('Entry 3: give it a name')).toBeTruthy();
  await type('Name 3', 'Two');
  expect(card.getByText('Entry 3: this name is taken by another entry')).toBeTruthy();
  await type('Name 3', ' more');
  await type('Address 3', 'three.test');
  expect(card.getByText(/^Entry 3: the address must begin with a scheme/)).toBeTruthy();
  expect(card.getByLabelText('Address 3').getAttribute('aria-invalid')).toBe('true');
  await click('Save');
  expect(await screen.findByText('Please check what was entered')).toBeTruthy();
  expect(sent()).toBeUndefined();
  await person.clear(card.getByLabelText('Address 3'));
  await type('Address 3', 'https://three.test');
  expect(card.queryByText(/^Entry 3/)).toBeNull();
});

test('the list can be edited as JSON, and is a list again once that can be read', async () => {
  const { card, click, person, sent } = await open();
  await click('Edit as JSON');
  const text = card.getByLabelText<HTMLTextAreaElement>('Chat programs');
  expect(JSON.parse(text.value)).toEqual(JSON.parse(stored));
  await person.clear(text);
  await person.paste('[{"A":"https://a.test"},{"B":1}]');
  expect(card.getByText('Entry 2: must be one name with one address')).toBeTruthy();
  expect(card.getByRole('button', { name: 'Edit as a list' })).toHaveProperty('disabled', true);
  await person.clear(text);
  await person.paste('[{"A":"https://a.test"}]');
  await click('Edit as a list');
  expect(card.getByLabelText('Name 1')).toHaveProperty('value', 'A');
  await click('Save');
  await waitFor(() => expect(sent()).toEqual([{ A: 'https://a.test' }]));
});

test('what cannot be read as chats is shown as it is stored', async () => {
  const { card } = await open('{"One":"https://one.test"}');
  expect(card.getByLabelText<HTMLTextAreaElement>('Chat programs').value).toContain('"One"');
});
