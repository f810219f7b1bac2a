import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { chooseFilter } from '../../../testing/list-controls.ts';
import { anAdmin, aUser, cleanBrowser, renderConsole } from '../../../testing/render-console.tsx';
import { ok, type StubRoutes, stubApi } from '../../../testing/stub-api.ts';

cleanBrowser();

const anOrder = {
  trade_no: 'USR7NOabc1231767225600',
  user_id: 7,
  username: 'ada',
  amount: '10',
  money: '72.00',
  currency: 'CNY',
  quota: 5_000_000,
  bonus_quota: 600_000,
  credited_quota: 5_600_000,
  provider: 'lantu',
  method: 'qr',
  provider_reference: 'WX1',
  status: 'success',
  late: true,
  code_url: '',
  create_time: 1_767_225_600,
  expire_time: 1_767_225_900,
  paid_time: 1_767_226_000,
};
const figures = {
  checked_at: 1_767_226_100,
  position: '4711',
  paid: { count: 1, money: '72.00', currency: 'CNY', quota: 5_600_000, late: 1 },
  credited: { count: 1, quota: 5_600_000 },
  settling: 0,
  paid_not_credited: [],
  credited_not_paid: [],
  paid_again: [],
};
const noDeadLetters = { items: [], page: 1, page_size: 10, total: 0 };
const open = (changes: object = {}, routes: StubRoutes = {}) => {
  const stub = stubApi({
    'GET /api/topup/reconciliation': ok({ ...figures, ...changes }),
    'GET /api/dead_letter/': ok(noDeadLetters),
    'GET /api/topup/': ok({ items: [anOrder], page: 1, page_size: 10, total: 1 }),
    ...routes,
  });
  return renderConsole({ at: '/reconciliation', user: anAdmin }).then(({ person }) => ({
    person,
    asked: () => stub.calls.filter(({ path }) => path === '/api/topup/'),
  }));
};

test('payments and credits that agree are reported, with the time of the check', async () => {
  await open();
  expect(await screen.findByText('Payments and credits agree')).toBeTruthy();
  expect(screen.getByText(/^Checked at 20\d\d-.* up to log position 4711$/)).toBeTruthy();
  expect(screen.queryByRole('table', { name: 'Paid and not credited' })).toBeNull();
});

test('what is due and what was credited are amounts, to the unit on hover', async () => {
  await open();
  const figure = async (name: string) =>
    within((await screen.findByText(name)).parentElement as HTMLElement).getByText('$11.20');
  expect((await figure('Quota due')).title).toBe('5,600,000 units, $11.20');
  expect((await figure('Quota credited')).title).toBe('5,600,000 units, $11.20');
});

test('orders of everybody are listed, and one that was paid late is marked', async () => {
  const { person, asked } = await open();
  const table = await screen.findByRole('table', { name: 'All orders' });
  expect(await within(table).findByText('WX1')).toBeTruthy();
  expect(within(table).getByText('Late')).toBeTruthy();
  expect(within(table).getByRole('link', { name: 'ada' }).getAttribute('href')).toBe('/ledger/7');
  await chooseFilter(person, 'State', 'Expired');
  await person.type(screen.getByLabelText('Order'), 'USR7{Enter}');
  await screen.findByRole('table', { name: 'All orders' });
  const query = asked().at(-1)?.query;
  expect([query?.get('status'), query?.get('keyword')]).toEqual(['expired', 'USR7']);
});

test('what does not agree is named on both sides', async () => {
  const wrong = { user_id: 7, username: 'ada', quota: 9, at: 1_767_226_000 };
  await open({
    paid_not_credited: [{ ...anOrder, trade_no: 'USR7NOlost001767225600', credited_quota: 0 }],
    credited_not_paid: [
      { ...wrong, event_id: 'e-1', trade_no: 'USR7NOfree001767225600', problem: 'not-paid' },
    ],
  });
  expect(await screen.findByText('2 do not agree')).toBeTruthy();
  const lost = screen.getByRole('table', { name: 'Paid and not credited' });
  expect(within(lost).getByText('USR7NOlost001767225600')).toBeTruthy();
  const free = screen.getByRole('table', { name: 'Credited and not paid' });
  expect(within(free).getByText('The order was not paid')).toBeTruthy();
});

const aDeadLetter = {
  id: 4_700,
  event_id: 'e-9',
  at: 1_767_226_000,
  reason: 'account.not-open',
  kind: 'used',
  relay_id: 'relay-a',
  request_id: 'req-lost',
  user_id: 7,
  username: 'ada',
  model_name: 'gpt-4o',
  amount: 2_004,
};

test('usage that could not be settled is listed, with its record on demand', async () => {
  const unreadable = {
    ...aDeadLetter,
    id: 4_711,
    reason: 'unreadable',
    request_id: '',
    user_id: 0,
  };
  const { person } = await open(
    {},
    {
      'GET /api/dead_letter/': ok({
        ...noDeadLetters,
        items: [{ ...unreadable, model_name: '', relay_id: '', amount: null }, aDeadLetter],
        total: 2,
      }),
      'GET /api/dead_letter/4700': ok({ id: 4_700, record: { kind: 'used', relayId: 'relay-a' } }),
    },
  );
  const table = await screen.findByRole('table', { name: 'Usage that could not be settled' });
  expect(within(table).getByText('The record cannot be read')).toBeTruthy();
  expect(within(table).getByText('account.not-open')).toBeTruthy();
  expect(within(table).getByText('2,004')).toBeTruthy();
  expect(within(table).getByRole('link', { name: 'ada' }).getAttribute('href')).toBe('/ledger/7');
  const [, last] = within(table).getAllByRole('button', { name: 'Show details' });
  if (last === undefined) throw new Error('no row opens');
  await person.click(last);
  expect(await screen.findByText(/"relayId": "relay-a"/)).toBeTruthy();
});

test('where everything was settled, nothing is shown', async () => {
  await open();
  await screen.findByText('Payments and credits agree');
  expect(screen.queryByRole('table', { name: 'Usage that could not be settled' })).toBeNull();
  expect(screen.queryByRole('table', { name: 'Paid twice' })).toBeNull();
});

test('an order that was paid twice names both payments', async () => {
  const again = {
    event_id: 'e-2',
    trade_no: 'USR7NOabc1231767225600',
    user_id: 7,
    username: 'ada',
    provider: 'lantu',
    provider_reference: 'WX2',
    credited_reference: 'WX1',
    money: '72.00',
    currency: 'CNY',
    at: 1_767_226_050,
  };
  await open({ paid_again: [again] });
  const table = await screen.findByRole('table', { name: 'Paid twice' });
  for (const text of ['WX2', 'Credited: WX1', '72.00 CNY']) {
    expect(within(table).getByText(text)).toBeTruthy();
  }
});

test('people without the rights of an administrator are kept out', async () => {
  stubApi({});
  await renderConsole({ at: '/reconciliation', user: aUser });
  expect(await screen.findByText('This page is for administrators only.')).toBeTruthy();
});
