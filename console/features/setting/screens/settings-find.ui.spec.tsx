import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { anAdmin, cleanBrowser, renderConsole } from '../../../testing/render-console.tsx';
import { asJson, openSettings } from '../../../testing/setting-sections.ts';
import { ok, refused, stubApi } from '../../../testing/stub-api.ts';

cleanBrowser();

const values: Readonly<Record<string, string>> = {
  ModelRatio: '{"gpt-4o":1.25}',
  QuotaPerUnit: '500000',
  RetryTimes: '0',
  SMTPPort: '587',
};

const open = (at: string) => openSettings({ at, values });

test('sections are shown by their tabs, and the chosen one in the address', async () => {
  const { person } = await open('/setting');
  const nav = within(await screen.findByRole('navigation', { name: 'Sections of the settings' }));
  expect(nav.getAllByRole('heading').map(({ textContent }) => textContent)).toEqual([
    'Operation',
    'Rate limit',
    'Models',
    'System',
    'Other',
  ]);
  const general = nav.getByRole('link', { name: 'General' });
  expect(general.getAttribute('aria-current')).toBe('page');
  await person.click(nav.getByRole('link', { name: 'Mail (SMTP)' }));
  expect(window.location.search).toBe('?tab=system&section=smtp');
  expect(await screen.findByRole('region', { name: 'Mail (SMTP)' })).toBeTruthy();
  expect(screen.queryByRole('region', { name: 'General' })).toBeNull();
});

test('an option is found by its label, its help and its own name, and gets the focus', async () => {
  const { person } = await open('/setting');
  const nav = within(await screen.findByRole('navigation', { name: 'Sections of the settings' }));
  const search = nav.getByLabelText('Search settings');
  const found = () => nav.getAllByRole('link').map(({ textContent }) => textContent);
  await person.type(search, 'QuotaPerUnit');
  expect(found()).toEqual(['General', 'Units per dollar']);
  await person.clear(search);
  await person.type(search, 'another channel');
  expect(found()).toEqual(['General', 'Retries after a failure']);
  await person.clear(search);
  await person.type(search, 'smtp port');
  await person.click(nav.getByRole('link', { name: 'Port' }));
  const mail = within(await screen.findByRole('region', { name: 'Mail (SMTP)' }));
  await waitFor(() => expect(document.activeElement).toBe(mail.getByLabelText('Port')));
  await person.clear(search);
  await person.type(search, 'no such thing');
  expect(nav.getByText('No setting matches')).toBeTruthy();
});

test('each option leads to what the audit trail has of it', async () => {
  const { card } = await open('/setting');
  const general = await card('General');
  const link = general.getByRole('link', { name: 'History of “Retries after a failure”' });
  expect(link.getAttribute('href')).toBe('/audit?subject_kind=option&subject_id=RetryTimes');
});

test('a map that is no JSON is not sent, and the line and what is right are named', async () => {
  const { person, card, puts } = await open('/setting');
  const ratios = await card('Model ratios');
  await person.click(ratios.getByRole('tab', { name: 'Model ratio' }));
  const text = await asJson(person, ratios, 'Model ratio');
  await person.clear(text);
  await person.click(text);
  await person.paste('{\n  "gpt-4o": 1.25\n  "o1": 7.5\n}');
  expect(
    ratios.getByText('This is not valid JSON. Line 3: a comma or } is expected.'),
  ).toBeTruthy();
  await person.click(ratios.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Please check what was entered')).toBeTruthy();
  await waitFor(() => expect(document.activeElement).toBe(text));
  expect(puts()).toEqual([]);
});

test('a map is a table: lines are added, edited and removed', async () => {
  const { person, card, puts, retype } = await open('/setting');
  const ratios = await card('Model ratios');
  await person.click(ratios.getByRole('tab', { name: 'Model ratio' }));
  const fresh = (column: string) => ratios.getByLabelText(`Model ratio: New row, ${column}`);
  const add = () => person.click(ratios.getByRole('button', { name: 'Add to “Model ratio”' }));
  await add();
  expect(ratios.getByText('Enter a name')).toBeTruthy();
  await waitFor(() => expect(document.activeElement).toBe(fresh('Model')));
  await person.type(fresh('Model'), 'gpt-4o');
  await person.type(fresh('Ratio'), '3');
  await add();
  expect(ratios.getByText('gpt-4o is in the table already')).toBeTruthy();
  await retype(fresh('Model'), 'o1');
  await person.type(fresh('Ratio'), 'x{Enter}');
  expect(ratios.getByText('o1: enter a number of 0 or more')).toBeTruthy();
  await retype(fresh('Ratio'), '7.5');
  await add();
  await person.type(ratios.getByLabelText('gpt-4o Ratio'), '5');
  await person.click(ratios.getByRole('button', { name: 'Save' }));
  const sent = () => puts().map((body) => JSON.parse((body as { value: string }).value));
  await waitFor(() => expect(sent()).toEqual([{ o1: 7.5, 'gpt-4o': 1.255 }]));
  await person.click(ratios.getByRole('button', { name: 'Remove gpt-4o' }));
  await person.click(ratios.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(sent()[1]).toEqual({}));
});

test('a cell that is no number is refused next to the table', async () => {
  const { person, card, puts, retype } = await open('/setting');
  const ratios = await card('Model ratios');
  await person.click(ratios.getByRole('tab', { name: 'Model ratio' }));
  await retype(ratios.getByLabelText('gpt-4o Ratio'), 'cheap');
  expect(ratios.getByText('gpt-4o: enter a number of 0 or more')).toBeTruthy();
  await person.click(ratios.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(document.activeElement).toBe(ratios.getByLabelText('gpt-4o Ratio')));
  expect(puts()).toEqual([]);
});

test('the palette leads to a section by the name of an option in it', async () => {
  const { person } = await open('/setting');
  await screen.findByRole('region', { name: 'General' });
  await person.keyboard('{Control>}k{/Control}');
  const palette = within(await screen.findByRole('dialog', { name: 'Search and commands' }));
  await person.type(palette.getByRole('combobox'), 'SMTPPort');
  await person.click(await palette.findByRole('option', { name: /Mail \(SMTP\)/ }));
  expect(await screen.findByRole('region', { name: 'Mail (SMTP)' })).toBeTruthy();
  expect(window.location.search).toBe('?tab=system&section=smtp');
});

test('a refusal of the server is shown at the refused field', async () => {
  stubApi({
    'GET /api/option/': ok([{ key: 'SMTPPort', value: '587' }]),
    'PUT /api/option/': refused('that port is taken'),
  });
  const { person } = await renderConsole({ at: '/setting?section=smtp', user: anAdmin });
  const port = await screen.findByLabelText('Port');
  await person.type(port, '1');
  await person.click(screen.getByRole('button', { name: 'Save' }));
  const words = await screen.findByText('that port is taken');
  expect(port.closest('.field')?.contains(words)).toBe(true);
  await person.type(port, '2');
  expect(screen.queryByText('that port is taken')).toBeNull();
});
