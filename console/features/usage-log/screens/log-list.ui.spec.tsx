import { screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { addFilter, choosePreset, openedDrawer } from '../../../testing/list-controls.ts';
import { anAdmin, aUser, cleanBrowser, renderConsole } from '../../../testing/render-console.tsx';
import { ok, type StubRoutes, stubApi } from '../../../testing/stub-api.ts';

cleanBrowser();

const aRow = (id: number, changes: object = {}) => ({
  id,
  user_id: 7,
  created_at: 1_700_000_000,
  type: 2,
  content: 'note',
  username: 'ada',
  token_name: `token-${id}`,
  token_id: 3,
  model_name: 'gpt-4o',
  quota: 500_000,
  prompt_tokens: 10,
  completion_tokens: 5,
  use_time: 1,
  duration_ms: 1_000,
  is_stream: false,
  channel: 4,
  channel_name: 'main',
  group: 'default',
  request_id: `r-${id}`,
  other: JSON.stringify({ admin_info: { use_channel: ['2', '4'] } }),
  ...changes,
});
const pageOf = (rows: readonly object[]) =>
  ok({ items: rows, page: 1, page_size: 10, total: rows.length });
const stat = ok({ quota: 1_000_000, rpm: 3, tpm: 90, token: 90 });
const open = async (rows: readonly object[], user = anAdmin, routes: StubRoutes = {}) => {
  const { calls } = stubApi({
    'GET /api/log/': pageOf(rows),
    'GET /api/log/self': pageOf(rows),
    'GET /api/log/stat': stat,
    'GET /api/log/self/stat': stat,
    ...routes,
  });
  const { person } = await renderConsole({ at: '/log', user });
  await screen.findByText('token-1');
  const row = (id: number) => within(screen.getByText(`token-${id}`).closest('tr') as HTMLElement);
  const asked = () =>
    calls.findLast(({ path }) => path.startsWith('/api/log/') && !path.endsWith('stat'));
  return { calls, person, row, asked };
};
/** What the page makes is a blob of jsdom; what `fetch` brings is one of Node. */
const textOf = (blob: Blob): Promise<string> => {
  if (!(blob instanceof Blob)) return new Response(blob).text();
  return new Promise((resolve) => {
    const reader = new FileReader();
    const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
    reader.onload = () => resolve(decoder.decode(new Uint8Array(reader.result as ArrayBuffer)));
    reader.readAsArrayBuffer(blob);
  });
};
const speedOf = (element: HTMLElement) => element.className;

test('the head sums up the range, and the pager shows the position', async () => {
  const { person, asked } = await open([aRow(1)]);
  expect(await screen.findByText('Quota used: $2.00')).toBeTruthy();
  expect(screen.getByText('RPM: 3')).toBeTruthy();
  expect(screen.getByText('TPM: 90')).toBeTruthy();
  expect(screen.getByText('Items 1 - 1 of 1')).toBeTruthy();
  const sizes = screen.getByLabelText(/page size|per page/i);
  expect(
    within(sizes)
      .getAllByRole('option')
      .map((option) => Number(option.getAttribute('value'))),
  ).toEqual([10, 20, 50, 100]);
  expect(sizes).toHaveProperty('value', '10');
  await person.selectOptions(sizes, '50');
  await waitFor(() => expect(asked()?.query.get('page_size')).toBe('50'));
  expect(localStorage.getItem('page-size')).toBe('50');
});

test('only what is slow has a colour', async () => {
  const timed = (id: number, seconds: number, frt: number) =>
    aRow(id, {
      use_time: Math.round(seconds),
      duration_ms: seconds * 1_000,
      is_stream: true,
      other: JSON.stringify({ frt }),
    });
  const { row } = await open([
    timed(1, 100, 2900),
    timed(2, 101, 3000),
    timed(3, 299, 9900),
    timed(4, 300, 10_000),
    timed(5, 0.34, 210),
  ]);
  const speeds = (id: number, total: string, first: string) =>
    [total, first].map((text) => speedOf(row(id).getByText(text)));
  for (const speed of speeds(1, '100 s', '2.9 s')) expect(speed).toContain('good');
  for (const speed of speeds(2, '101 s', '3.0 s')) expect(speed).toContain('slow');
  for (const speed of speeds(3, '299 s', '9.9 s')) expect(speed).toContain('slow');
  for (const speed of speeds(4, '300 s', '10 s')) expect(speed).toContain('bad');
  for (const speed of speeds(5, '0.3 s', '0.2 s')) expect(speed).toContain('good');
});

test('every kind of entry can be chosen, and is named in its row', async () => {
  const kinds = [1, 2, 3, 4, 5] as const;
  const names = ['Recharge', 'Consume', 'Manage', 'System', 'Error'];
  const { person, asked } = await open([
    aRow(1),
    ...kinds.map((type) => aRow(10 + type, { type, token_name: '' })),
  ]);
  const choice = screen.getByLabelText('Type');
  for (const name of names.filter((name) => name !== 'Consume')) {
    expect(screen.getAllByText(name).some((tag) => tag.closest('td') !== null)).toBe(true);
  }
  for (const [at, name] of names.entries()) {
    await person.selectOptions(choice, name);
    await waitFor(() => expect(asked()?.query.get('type')).toBe(String(at + 1)));
  }
  await person.selectOptions(choice, 'All');
  await waitFor(() => expect(asked()?.query.get('type')).toBe('0'));
});

test('filters go along as they were typed, times as seconds', async () => {
  const { person, asked } = await open([aRow(1)]);
  const now = Date.now() / 1000;
  const first = asked()?.query;
  const midnight = new Date();
  midnight.setHours(0, 0, 0, 0);
  expect(Number(first?.get('start_timestamp'))).toBe(midnight.getTime() / 1000);
  expect(Math.abs(Number(first?.get('end_timestamp')) - now - 3600)).toBeLessThan(60);
  await addFilter(person, 'API key name', 'web');
  await addFilter(person, 'Channel ID', '4');
  await choosePreset(person, 'Last 7 days');
  await waitFor(() => {
    const query = Object.fromEntries(asked()?.query ?? []);
    expect(query).toMatchObject({
      token_name: 'web',
      channel: '4',
    });
    const length = Number(query.end_timestamp) - Number(query.start_timestamp);
    expect(length).toBe(7 * 86_400 + 3600);
  });
});

test('administrators see channel, user and retries; a click on the user shows more', async () => {
  const { person, row } = await open([aRow(1)], anAdmin, {
    'GET /api/user/7': ok({ username: 'ada', quota: 500_000, used_quota: 0, request_count: 12 }),
  });
  expect(row(1).getByText('2 → 4')).toBeTruthy();
  await person.click(row(1).getByRole('button', { name: /ada/ }));
  const dialog = within(await screen.findByRole('dialog', { name: 'User' }));
  expect(await dialog.findByText('12')).toBeTruthy();
  expect(dialog.getByText('$1.00')).toBeTruthy();
});

test('ordinary users have none of these, and no filters for them', async () => {
  const { person } = await open([aRow(1)], aUser);
  for (const name of ['Channel', 'User', 'Retry']) {
    expect(screen.queryByRole('columnheader', { name })).toBeNull();
  }
  await person.click(screen.getByRole('button', { name: 'Filter' }));
  expect(await screen.findByRole('menuitem', { name: 'Group' })).toBeTruthy();
  expect(screen.queryByRole('menuitem', { name: 'Channel ID' })).toBeNull();
  expect(screen.queryByRole('menuitem', { name: 'User name' })).toBeNull();
});

test('columns can be hidden, and stay hidden', async () => {
  const { person } = await open([aRow(1)]);
  await person.click(screen.getByRole('button', { name: 'Columns' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Columns' }));
  await person.click(dialog.getByLabelText('Model'));
  await person.click(dialog.getByRole('button', { name: 'OK' }));
  expect(screen.queryByRole('columnheader', { name: 'Model' })).toBeNull();
  expect(JSON.parse(localStorage.getItem('logs-table-columns') ?? '{}')).toMatchObject({
    model: false,
    token: true,
  });
});

test('the page and the whole range are exported as a table that spreadsheets read', async () => {
  const { person, calls } = await open([aRow(1)], anAdmin, {
    'GET /api/log/export': new Response('the file of the server', {
      headers: { 'content-disposition': 'attachment; filename="logs.csv"' },
    }),
  });
  const saved: { name: string; text: Promise<string> }[] = [];
  let blob = new Blob();
  vi.stubGlobal(
    'URL',
    Object.assign(URL, {
      createObjectURL: (made: Blob) => {
        blob = made;
        return 'blob:x';
      },
      revokeObjectURL: () => undefined,
    }),
  );
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    saved.push({
      name: this.download,
      text: textOf(blob),
    });
  });
  for (const item of ['Current page', 'All in the time range']) {
    await person.click(screen.getByRole('button', { name: 'Export' }));
    await person.click(await screen.findByRole('menuitem', { name: item }));
  }
  await waitFor(() => expect(saved).toHaveLength(2));
  const listed = calls.find(({ path }) => path === '/api/log/');
  const exported = calls.filter(({ path }) => path === '/api/log/export');
  expect(exported).toHaveLength(1);
  expect(exported[0]?.query.get('format')).toBe('csv');
  for (const name of ['start_timestamp', 'end_timestamp']) {
    expect(exported[0]?.query.get(name)).toBe(listed?.query.get(name));
  }
  expect(exported[0]?.query.has('page_size')).toBe(false);
  for (const { name } of saved) expect(name).toMatch(/^logs_\d{4}-\d\d-\d\d\.csv$/);
  expect(await saved[1]?.text).toBe('the file of the server');
  const text = (await saved[0]?.text) ?? '';
  expect(text.charCodeAt(0)).toBe(0xfeff);
  expect(text.split('\r\n')[0]?.slice(1)).toBe(
    '"Time","Channel","User","API key","Group","Type","Model","Time / first token","Prompt","Completion","Cost","Details"',
  );
});

test('an entry that is no call describes in one sentence what happened, and its amount', async () => {
  const content = 'Redeemed code #3';
  const other = JSON.stringify({ amount: 500_000 });
  await open([aRow(1), aRow(2, { type: 1, token_name: '', content, other })]);
  const sentence = screen.getByText(content).closest('td');
  expect(Number(sentence?.getAttribute('colspan'))).toBeGreaterThan(2);
  expect(screen.getByText('+$1.000000')).toBeTruthy();
});

test('a filter is a chip that its cross removes', async () => {
  const { person, asked } = await open([aRow(1)]);
  await addFilter(person, 'Model name', 'gpt-4o');
  expect(await screen.findByRole('button', { name: 'Model name: gpt-4o' })).toBeTruthy();
  await person.click(screen.getByRole('button', { name: 'Remove the filter Model name' }));
  await waitFor(() => expect(asked()?.query.has('model_name')).toBe(false));
  expect(window.location.search).toBe('');
});

test('rows are navigated by keyboard: arrows move, Enter opens, Escape returns', async () => {
  const { person } = await open([aRow(1), aRow(2, { model_name: 'o3' })]);
  const rows = screen.getAllByRole('row').filter((row) => row.hasAttribute('data-row'));
  rows[0]?.focus();
  await person.keyboard('{ArrowDown}');
  expect(document.activeElement).toBe(rows[1]);
  await person.keyboard('{Enter}');
  const drawer = await openedDrawer('o3');
  expect(drawer.getByText('r-2')).toBeTruthy();
  // Escape applies to what has the focus, which follows a moment after the drawer.
  await waitFor(() => expect(document.activeElement?.closest('.bp6-overlay')).toBeTruthy());
  await person.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'o3' })).toBeNull());
  await waitFor(() => expect(document.activeElement).toBe(rows[1]));
});

test('administrators read the channels that were tried as a timeline', async () => {
  const { person, row } = await open([aRow(1)]);
  await person.click(row(1).getByRole('button', { name: 'Show details' }));
  const steps = (await openedDrawer('gpt-4o')).getAllByRole('listitem');
  const texts = steps.map(({ textContent }) => textContent ?? '');
  expect(texts.some((text) => text.includes('Channel 2') && text.includes('Failed'))).toBe(true);
  expect(texts.some((text) => text.includes('Channel 4') && text.includes('Answered'))).toBe(true);
});

test('the height of rows is a choice that stays', async () => {
  const { person } = await open([aRow(1)]);
  await person.click(screen.getByRole('button', { name: 'Columns' }));
  await person.click(await screen.findByRole('radio', { name: 'Comfortable' }));
  expect(document.documentElement.dataset.density).toBe('comfortable');
  expect(localStorage.getItem('row-density')).toBe('comfortable');
});
