import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { expectRefusal } from '../../../testing/form-refusal.ts';
import { aUser, cleanBrowser, renderConsole } from '../../../testing/render-console.tsx';
import { ok, refused, type StubRoutes, statusWith, stubApi } from '../../../testing/stub-api.ts';

cleanBrowser();
afterEach(() => vi.useRealTimers());

const anOrder = {
  trade_no: 'USR7NOabc1231767225600',
  code_url: 'weixin://wxpay/x',
  QRcode_url: 'https://pay.example.com/x.png',
  expire_seconds: 300,
  money: '72.00',
  bonus_quota: 600_000,
};
const aRow = {
  trade_no: anOrder.trade_no,
  code_url: anOrder.code_url,
  money: anOrder.money,
  bonus_quota: anOrder.bonus_quota,
  user_id: 7,
  username: 'ada',
  amount: '10',
  currency: 'CNY',
  quota: 5_000_000,
  credited_quota: 0,
  provider: 'lantu',
  method: 'qr',
  provider_reference: '',
  status: 'pending',
  late: false,
  create_time: 1_767_225_600,
  expire_time: 4_000_000_000,
  paid_time: 0,
};
const pageOf = (...items: object[]) => ok({ items, page: 1, page_size: 10, total: items.length });
const priced = (call: { body: unknown }) => {
  const { amount } = call.body as { amount: number };
  return {
    success: true,
    message: 'success',
    data: (amount * 7.2).toFixed(2),
    bonus_quota: amount * 60_000,
  };
};
const stateOf = (status: string) => ({
  success: true,
  message: 'success',
  status,
  data: { status },
});

const open = async (routes: StubRoutes = {}) => {
  const { calls } = stubApi({
    'GET /api/status': statusWith({ min_topup: 2, enable_online_topup: true }),
    'GET /api/user/self': ok({ ...aUser, quota: 1_000_000 }),
    'GET /api/topup/self': pageOf(),
    'POST /api/user/amount': priced,
    'POST /api/user/pay_lantu': { success: true, message: 'success', data: anOrder },
    'GET /api/user/lantu_status': stateOf('pending'),
    ...routes,
  });
  const { person } = await renderConsole({ at: '/topup', user: aUser });
  await screen.findByText('Online top-up');
  const asked = (path: string) => calls.filter((call) => call.path === path);
  return { person, asked };
};
type Opened = Awaited<ReturnType<typeof open>>;

const order = async ({ person }: Opened) => {
  await person.click(screen.getByRole('button', { name: '$7 +12%' }));
  await screen.findByText('To pay: 50.40 CNY');
  await person.click(screen.getByRole('button', { name: 'Pay by WeChat' }));
  const dialog = await screen.findByRole('dialog', { name: 'Top up now?' });
  await person.click(within(dialog).getByRole('button', { name: 'OK' }));
  return screen.findByRole('dialog', { name: 'Pay by WeChat' });
};

describe('an amount', () => {
  test('of the quick picks is priced, and its tier is shown', async () => {
    const { person, asked } = await open();
    await person.click(screen.getByRole('button', { name: '$15 +18%' }));
    expect(await screen.findByText('To pay: 108.00 CNY')).toBeTruthy();
    expect(screen.getByText(/18% on top now, that is \$1\.80\./)).toBeTruthy();
    expect(screen.getByText('Add $20 more for 22%.')).toBeTruthy();
    expect(asked('/api/user/amount').at(-1)?.body).toEqual({ amount: 15, top_up_code: '' });
  });
  test('that is typed is requested once it does not change', async () => {
    const { person, asked } = await open();
    await person.type(screen.getByLabelText('Amount in dollars'), '280');
    expect(await screen.findByText('To pay: 2016.00 CNY')).toBeTruthy();
    expect(asked('/api/user/amount')).toHaveLength(1);
    expect(screen.getByText(/40% on top now/)).toBeTruthy();
  });
  test('below the minimum of the site is not ordered', async () => {
    const { person, asked } = await open();
    const field = screen.getByLabelText('Amount in dollars');
    expect(field.getAttribute('placeholder')).toBe('At least $2');
    await person.type(field, '1');
    await person.click(screen.getByRole('button', { name: 'Pay by WeChat' }));
    expect(await screen.findByText('The amount must be at least 2')).toBeTruthy();
    expect(asked('/api/user/amount')).toEqual([]);
  });
  test('is quota where the site shows no currency', async () => {
    const { person } = await open({
      'GET /api/status': statusWith({ min_topup: 1, display_in_currency: false }),
    });
    await person.click(screen.getByRole('button', { name: '500,000 +5%' }));
    const field = screen.getByLabelText('Amount in quota units');
    expect((field as HTMLInputElement).value).toBe('500000');
  });
  test('that the server refuses is shown with the text of the server', async () => {
    const { person } = await open({
      'POST /api/user/amount': { ...refused('error'), data: 'The sum is too small' },
    });
    await person.type(screen.getByLabelText('Amount in dollars'), '3');
    expect(await screen.findByText('The sum is too small')).toBeTruthy();
  });
});

describe('an order', () => {
  test('shows a code that is drawn here, and only WeChat is offered', async () => {
    const opened = await open();
    const dialog = await order(opened);
    expect(within(dialog).getByRole('img', { name: 'Code to scan' }).tagName).toBe('svg');
    expect(within(dialog).getByText('72.00 CNY')).toBeTruthy();
    expect(within(dialog).getByRole('status').textContent).toMatch(/expires in [45]:\d\d/);
    expect(opened.asked('/api/user/pay_lantu').at(-1)?.body).toEqual({ amount: 7 });
    expect(screen.queryByText(/alipay/i)).toBeNull();
  });
  test('that is paid is reported, reads the balance again and closes', async () => {
    const opened = await open({ 'GET /api/user/lantu_status': stateOf('success') });
    const before = opened.asked('/api/user/self').length;
    await order(opened).catch(() => undefined);
    expect(await screen.findByText('Topped up!')).toBeTruthy();
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(opened.asked('/api/user/self').length).toBeGreaterThan(before);
    expect(opened.asked('/api/user/lantu_status')[0]?.query.get('trade_no')).toBe(anOrder.trade_no);
  });
  test('that expired is reported and offers a new one', async () => {
    const opened = await open({ 'GET /api/user/lantu_status': stateOf('expired') });
    const dialog = await order(opened);
    expect(await within(dialog).findByText('The order has expired')).toBeTruthy();
    await opened.person.click(within(dialog).getByRole('button', { name: 'Order again' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });
  test('expires on the clock of the page even without an answer', async () => {
    const opened = await open({
      'POST /api/user/pay_lantu': {
        success: true,
        message: 'success',
        data: { ...anOrder, expire_seconds: 1 },
      },
    });
    const dialog = await order(opened);
    expect(
      await within(dialog).findByText('The order has expired', {}, { timeout: 4_000 }),
    ).toBeTruthy();
  });
  test('whose state cannot be read is reported', async () => {
    const opened = await open({ 'GET /api/user/lantu_status': refused('no') });
    await order(opened);
    expect(await screen.findByText('The state of the order could not be read')).toBeTruthy();
  });
  test('that the provider did not take is refused in its words', async () => {
    const { person } = await open({
      'POST /api/user/pay_lantu': { ...refused('error'), data: 'The payment failed: no' },
    });
    await person.click(screen.getByRole('button', { name: '$7 +12%' }));
    await screen.findByText('To pay: 50.40 CNY');
    await person.click(screen.getByRole('button', { name: 'Pay by WeChat' }));
    await person.click(await screen.findByRole('button', { name: 'OK' }));
    expect(await screen.findByText('The payment failed: no')).toBeTruthy();
  });
  test('that is refused for its amount is reported at the amount, which is kept', async () => {
    const { person } = await open({
      'POST /api/user/pay_lantu': {
        ...refused('error', 'topup.account-full'),
        data: 'The account can take in less',
      },
    });
    await person.type(screen.getByLabelText('Amount in dollars'), '7');
    await screen.findByText('To pay: 50.40 CNY');
    await person.click(screen.getByRole('button', { name: 'Pay by WeChat' }));
    await person.click(await screen.findByRole('button', { name: 'OK' }));
    const field = screen.getByLabelText('Amount in dollars');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await expectRefusal(field, 'The account can take in less');
    expect(field).toHaveProperty('value', '7');
  });
  test('is polled every ten seconds until the dialog is closed', async () => {
    const opened = await open();
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const dialog = await order(opened);
    await waitFor(() => expect(opened.asked('/api/user/lantu_status')).toHaveLength(1));
    await vi.advanceTimersByTimeAsync(10_100);
    await waitFor(() => expect(opened.asked('/api/user/lantu_status')).toHaveLength(2));
    await opened.person.click(within(dialog).getByText('Close', { selector: 'button *' }));
    await vi.advanceTimersByTimeAsync(30_000);
    expect(opened.asked('/api/user/lantu_status')).toHaveLength(2);
  });
});

test('one’s own orders are listed, and one that waits can still be paid', async () => {
  const paid = { ...aRow, trade_no: 'USR7NOpaid001767225600', status: 'success', code_url: '' };
  const { person } = await open({
    'GET /api/topup/self': pageOf(aRow, { ...paid, late: true, money: '7.20' }),
  });
  const table = await screen.findByRole('table', { name: 'Orders' });
  expect(within(table).getByText('Waiting')).toBeTruthy();
  expect(within(table).getByText('Paid late')).toBeTruthy();
  expect(within(table).getAllByRole('button', { name: 'Pay now' })).toHaveLength(1);
  await person.click(within(table).getByRole('button', { name: 'Pay now' }));
  const dialog = await screen.findByRole('dialog', { name: 'Pay by WeChat' });
  expect(within(dialog).getByText(`Order ${aRow.trade_no}`)).toBeTruthy();
});

test('a site without a payment provider is explained', async () => {
  await open({ 'GET /api/status': statusWith({ enable_online_topup: false }) });
  expect(await screen.findByText('The operator has not set up online payment yet.')).toBeTruthy();
  const pay = screen.getByRole('button', { name: 'Pay by WeChat' });
  expect(pay).toHaveProperty('disabled', true);
});

test('an order that a phone left the page for is followed on the way back', async () => {
  localStorage.setItem('topup_trade_no', 'USR7NOphone1767225600');
  const { asked } = await open({ 'GET /api/user/lantu_status': stateOf('success') });
  expect(await screen.findByText('Topped up!')).toBeTruthy();
  expect(asked('/api/user/lantu_status')[0]?.query.get('trade_no')).toBe('USR7NOphone1767225600');
  await waitFor(() => expect(localStorage.getItem('topup_trade_no')).toBeNull());
});
