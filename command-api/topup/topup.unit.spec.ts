import { describe, expect, test } from 'vitest';
import type { QuotaGranted } from '../../domain/account/events.ts';
import type { TopUpOrdered } from '../../domain/topup/events.ts';
import { before, credited, startTopUpSides } from '../../tests/support/topup-side.ts';

const site = startTopUpSides();
const { setOption, post, balance, payments, order, notify, statusOf } = site;

describe('the price of an amount', () => {
  test('is a text with two decimals, and shows the bonus', async () => {
    expect(await post('/api/user/amount', { amount: 10, top_up_code: '' })).toMatchObject({
      success: true,
      message: 'success',
      data: '72.00',
      bonus_ratio: 0.12,
      bonus_quota: 600_000,
    });
  });
  test('is that of the group; nothing or zero counts one', async () => {
    const priced = async (ratios: object) => {
      await setOption('TopupGroupRatio', JSON.stringify(ratios));
      return (await post('/api/user/amount', { amount: 10 })).data;
    };
    expect(await priced({ default: 0.5 })).toBe('36.00');
    expect(await priced({ default: 0 })).toBe('72.00');
    expect(await priced({ vip: 2 })).toBe('72.00');
  });
  test('is refused below the minimum, in the requested unit', async () => {
    await setOption('MinTopUp', '5');
    const zh = { 'accept-language': 'zh' };
    expect(await post('/api/user/amount', { amount: 4 }, zh)).toEqual({
      success: false,
      code: 'topup.below-minimum',
      message: 'error',
      data: '充值数量不能小于5',
    });
    await setOption('DisplayInCurrencyEnabled', 'false');
    expect(await post('/api/user/amount', { amount: 4 }, zh)).toMatchObject({
      data: '充值数量不能小于2500000',
    });
    expect(await post('/api/user/amount', { amount: 5_000_000 })).toMatchObject({ data: '72.00' });
  });
  test.each([
    'trade_no=a&trade_no=b',
    'trade_no[]=x',
    `trade_no=${'x'.repeat(200)}`,
    'trade_no=%00',
    '',
  ])('and states of orders are refused for %s', async (query) => {
    const { body } = await site.root.call('GET', `/api/user/lantu_status?${query}`);
    expect(body).toMatchObject({ success: false, message: 'error' });
  });
  test.each(['many', 1.5, null])('is refused for %j', async (amount) => {
    expect(await post('/api/user/amount', { amount })).toMatchObject({
      code: 'topup.invalid-request',
      message: 'error',
      data: 'The request is not valid',
    });
  });
});

describe('an order paid by QR code', () => {
  test('shows the code, and the provider is called with our signature', async () => {
    await setOption('ServerAddress', 'https://gate.example.com');
    const answer = await post('/api/user/pay_lantu', { amount: 10 });
    expect(answer).toMatchObject({ success: true, message: 'success' });
    const { trade_no, ...shown } = answer.data as Record<string, string>;
    expect(trade_no).toMatch(/^USR1NO[0-9A-Za-z]{6}\d{10}$/);
    expect(shown).toEqual({
      QRcode_url: `https://pay.example.com/${trade_no}.png`,
      code_url: `weixin://wxpay/bizpayurl?pr=${trade_no}`,
      expire_seconds: 300,
      money: '72.00',
      bonus_quota: 600_000,
    });
    expect(site.provider.orders.get(trade_no ?? '')?.fields).toMatchObject({
      total_fee: '72.00',
      time_expire: '5m',
      notify_url: 'https://gate.example.com/api/user/lantu/notify',
    });
  });
  test('sends the provider its own callback address', async () => {
    await setOption('ServerAddress', 'https://gate.example.com');
    await setOption('CustomCallbackAddress', 'https://callback.example.com/');
    const reported = site.provider.orders.get(await order())?.fields.notify_url;
    expect(reported).toBe('https://callback.example.com/api/user/lantu/notify');
  });
  test('waits until the provider reports that it was paid', async () => {
    const tradeNo = await order();
    expect(await statusOf(tradeNo)).toEqual({
      success: true,
      message: 'success',
      status: 'pending',
      data: { status: 'pending' },
    });
    site.provider.pay(tradeNo);
    expect(await notify(site.provider.noticeOf(tradeNo))).toBe('SUCCESS');
    expect(await statusOf(tradeNo)).toMatchObject({ status: 'success' });
    expect(await statusOf(tradeNo, site.root, 'hw_payment_status')).toMatchObject({
      status: 'success',
    });
    expect(await balance()).toBe(before + credited);
    expect(site.side.events<QuotaGranted['data']>('QuotaGranted').at(-1)).toMatchObject({
      amount: credited,
      source: 'topup',
      reference: tradeNo,
      payment: { provider: 'lantu', providerReference: 'WX1', bonusQuota: 600_000 },
    });
  });
  test('succeeds by a query of its status when the notice got lost', async () => {
    const tradeNo = await order();
    site.provider.pay(tradeNo);
    expect(await statusOf(tradeNo)).toMatchObject({ status: 'success' });
    expect(await balance()).toBe(before + credited);
    expect(payments()).toMatchObject([{ source: 'query', late: false }]);
  });
  test('is queried once in five seconds, however often it is read', async () => {
    const tradeNo = await order();
    await Promise.all(Array.from({ length: 20 }, () => statusOf(tradeNo)));
    expect(site.provider.queries()).toBe(1);
  });
  test('cannot be read by another user', async () => {
    const tradeNo = await order();
    await post('/api/user/', { username: 'ada', password: 'correct-horse', display_name: 'Ada' });
    const ada = site.side.person();
    await ada.signIn('ada', 'correct-horse');
    expect(await statusOf(tradeNo, ada)).toMatchObject({ code: 'topup.unknown-order' });
    for (const none of ['', 'USR1NOaaaaaa1767225600', '../../site']) {
      expect(await statusOf(none)).toMatchObject({ success: false, message: 'error' });
    }
  });
  test('repeated under its key is the same order, paid at the same place', async () => {
    const headers = { 'idempotency-key': 'wish-1' };
    const first = await post('/api/user/pay_lantu', { amount: 10 }, headers);
    expect(await post('/api/user/pay_lantu', { amount: 10 }, headers)).toEqual(first);
    expect(site.provider.orders.size).toBe(1);
  });
  test('placed twice at one moment under one key is sent to the provider once', async () => {
    const headers = { 'idempotency-key': 'wish-1' };
    const payload = () => post('/api/user/pay_lantu', { amount: 10 }, headers);
    const answers = await Promise.all([payload(), payload(), payload()]);
    expect(answers.filter(({ success }) => success).length).toBeGreaterThan(0);
    expect(site.provider.orders.size).toBe(1);
    expect(site.side.events('TopUpOrdered')).toHaveLength(1);
    expect(site.side.events('TopUpExpired')).toEqual([]);
  });
  test('that the provider does not take is closed, in the words of the provider', async () => {
    site.provider.refuseWith('商户余额不足');
    expect(await post('/api/user/pay_lantu', { amount: 10 })).toMatchObject({
      success: false,
      message: 'error',
      data: 'The payment failed: 商户余额不足',
    });
    expect(site.side.events('TopUpExpired')).toMatchObject([{ reason: 'not-offered' }]);
  });
  test('is not placed while the provider is away or not set up', async () => {
    const away = { value: 'http://127.0.0.1:1', secret: site.provider.secret };
    await site.root.call('PUT', '/api/option/', { body: { key: 'LantuApiUrl', ...away } });
    expect(await post('/api/user/pay_lantu', { amount: 10 })).toMatchObject({
      code: 'topup.provider-unavailable',
    });
    await setOption('LantuMchId', '');
    expect(await post('/api/user/pay_lantu', { amount: 10 })).toMatchObject({
      code: 'topup.not-configured',
    });
    expect(site.side.events<TopUpOrdered['data']>('TopUpOrdered')).toHaveLength(1);
  });
  test('on a phone leads to the provider', async () => {
    const answer = await post('/api/user/pay_lantu_h5', { amount: 10 });
    const tradeNo = String(answer.trade_no);
    expect(answer.data).toBe(`https://pay.example.com/h5/${tradeNo}`);
    expect(site.provider.orders.get(tradeNo)?.fields.return_url).toBe(
      'http://localhost:3000/topup',
    );
  });
});
