import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { QuotaGranted } from '../../domain/account/events.ts';
import type { TopUpOrdered, TopUpPaid } from '../../domain/topup/events.ts';
import { type LantuStub, startLantuStub } from '../../tests/support/lantu-stub.ts';
import { aMetadata } from '../../tests/support/metadata-examples.ts';
import { aTopUpPaid } from '../../tests/support/topup-examples.ts';
import {
  type Person,
  rootUser,
  startWriteSide,
  type WriteSide,
} from '../../tests/support/write-side.ts';
import type { JobRow } from '../contract/job.ts';
import { epaySignature } from './epay.ts';

let side: WriteSide;
let root: Person;
let provider: LantuStub;

const setOption = (key: string, value: string) =>
  root.call('PUT', '/api/option/', { body: { key, value } });

beforeEach(async () => {
  provider = await startLantuStub();
  side = await startWriteSide();
  root = await side.root();
  await setOption('LantuApiUrl', provider.url);
  await setOption('LantuMchId', provider.merchantId);
  await setOption('LantuSecretKey', provider.secret);
  await setOption('PayAddress', 'https://pay.example.com/');
  await setOption('EpayId', '1001');
  await setOption('EpayKey', 'epay-secret');
});
afterEach(async () => {
  vi.useRealTimers();
  await side.stop();
  await provider.close();
});

const post = async (url: string, body: object, headers: Record<string, string> = {}) =>
  (await root.call('POST', url, { body, headers })).body;
const order = async (amount = 10): Promise<string> => {
  const { data } = await post('/api/user/pay_lantu', { amount });
  return (data as { trade_no: string }).trade_no;
};
const form = async (url: string, fields: Record<string, string>) => {
  const answer = await side.app.inject({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams(fields).toString(),
  });
  expect(answer.headers['content-type']).toContain('text/plain');
  return answer.body;
};
const notify = (fields: Record<string, string>) => form('/api/user/lantu/notify', fields);
const statusOf = async (tradeNo: string, person: Person = root, path = 'lantu_status') =>
  (await person.call('GET', `/api/user/${path}?trade_no=${tradeNo}`)).body;
const balance = async () => (await side.keeper.glance(1))?.balance;
const before = 100_000_000;
const credited = 5_600_000;
const payments = () => side.events<TopUpPaid['data']>('TopUpPaid');
const expectNothing = async () => {
  expect(payments()).toEqual([]);
  expect(await balance()).toBe(before);
};
/** Only the clock: timers go on, as the product waits by them. */
const laterBy = (ms: number) => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms });
};

describe('the price of an amount', () => {
  test('is a text with two decimals, and says what comes on top', async () => {
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
  test('is refused below the minimum, in the unit that was asked for', async () => {
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
    const { body } = await root.call('GET', `/api/user/lantu_status?${query}`);
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
  test('shows the code, and the provider is asked with our signature', async () => {
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
    expect(provider.orders.get(trade_no ?? '')?.fields).toMatchObject({
      total_fee: '72.00',
      time_expire: '5m',
      notify_url: 'https://gate.example.com/api/user/lantu/notify',
    });
  });
  test('tells the provider the callback address of its own', async () => {
    await setOption('ServerAddress', 'https://gate.example.com');
    await setOption('CustomCallbackAddress', 'https://callback.example.com/');
    const told = provider.orders.get(await order())?.fields.notify_url;
    expect(told).toBe('https://callback.example.com/api/user/lantu/notify');
  });
  test('waits until the provider says that it was paid', async () => {
    const tradeNo = await order();
    expect(await statusOf(tradeNo)).toEqual({
      success: true,
      message: 'success',
      status: 'pending',
      data: { status: 'pending' },
    });
    provider.pay(tradeNo);
    expect(await notify(provider.noticeOf(tradeNo))).toBe('SUCCESS');
    expect(await statusOf(tradeNo)).toMatchObject({ status: 'success' });
    expect(await statusOf(tradeNo, root, 'hw_payment_status')).toMatchObject({ status: 'success' });
    expect(await balance()).toBe(before + credited);
    expect(side.events<QuotaGranted['data']>('QuotaGranted').at(-1)).toMatchObject({
      amount: credited,
      source: 'topup',
      reference: tradeNo,
      payment: { provider: 'lantu', providerReference: 'WX1', bonusQuota: 600_000 },
    });
  });
  test('succeeds by a look at its status when the notice got lost', async () => {
    const tradeNo = await order();
    provider.pay(tradeNo);
    expect(await statusOf(tradeNo)).toMatchObject({ status: 'success' });
    expect(await balance()).toBe(before + credited);
    expect(payments()).toMatchObject([{ source: 'query', late: false }]);
  });
  test('is asked about once in five seconds, however often somebody looks', async () => {
    const tradeNo = await order();
    await Promise.all(Array.from({ length: 20 }, () => statusOf(tradeNo)));
    expect(provider.queries()).toBe(1);
  });
  test('is nobody else’s business', async () => {
    const tradeNo = await order();
    await post('/api/user/', { username: 'ada', password: 'correct-horse', display_name: 'Ada' });
    const ada = side.person();
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
    expect(provider.orders.size).toBe(1);
  });
  test('wished for twice at one moment under one key is asked of the provider once', async () => {
    const headers = { 'idempotency-key': 'wish-1' };
    const wish = () => post('/api/user/pay_lantu', { amount: 10 }, headers);
    const answers = await Promise.all([wish(), wish(), wish()]);
    expect(answers.filter(({ success }) => success).length).toBeGreaterThan(0);
    expect(provider.orders.size).toBe(1);
    expect(side.events('TopUpOrdered')).toHaveLength(1);
    expect(side.events('TopUpExpired')).toEqual([]);
  });
  test('that the provider does not take is closed, in the words of the provider', async () => {
    provider.refuseWith('商户余额不足');
    expect(await post('/api/user/pay_lantu', { amount: 10 })).toMatchObject({
      success: false,
      message: 'error',
      data: 'The payment failed: 商户余额不足',
    });
    expect(side.events('TopUpExpired')).toMatchObject([{ reason: 'not-offered' }]);
  });
  test('is not placed while the provider is away or not set up', async () => {
    const away = { value: 'http://127.0.0.1:1', secret: provider.secret };
    await root.call('PUT', '/api/option/', { body: { key: 'LantuApiUrl', ...away } });
    expect(await post('/api/user/pay_lantu', { amount: 10 })).toMatchObject({
      code: 'topup.provider-unavailable',
    });
    await setOption('LantuMchId', '');
    expect(await post('/api/user/pay_lantu', { amount: 10 })).toMatchObject({
      code: 'topup.not-configured',
    });
    expect(side.events<TopUpOrdered['data']>('TopUpOrdered')).toHaveLength(1);
  });
  test('on a phone leads to the provider', async () => {
    const answer = await post('/api/user/pay_lantu_h5', { amount: 10 });
    const tradeNo = String(answer.trade_no);
    expect(answer.data).toBe(`https://pay.example.com/h5/${tradeNo}`);
    expect(provider.orders.get(tradeNo)?.fields.return_url).toBe('http://localhost:3000/topup');
  });
});

describe('a notice of payment', () => {
  test('that comes fifty times at once is credited once, and heard each time', async () => {
    const tradeNo = await order();
    provider.pay(tradeNo);
    const notice = provider.noticeOf(tradeNo);
    const answers = await Promise.all(Array.from({ length: 50 }, () => notify(notice)));
    expect(new Set(answers)).toEqual(new Set(['SUCCESS']));
    expect(payments()).toHaveLength(1);
    expect(await balance()).toBe(before + credited);
  });
  test('that meets polls for the status at the same moment is credited once', async () => {
    const tradeNo = await order();
    provider.pay(tradeNo);
    const notice = provider.noticeOf(tradeNo);
    await Promise.all(
      Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? notify(notice) : statusOf(tradeNo))),
    );
    expect(payments()).toHaveLength(1);
    expect(await balance()).toBe(before + credited);
  });
  test('that two command APIs hear at the same moment is credited once', async () => {
    const tradeNo = await order();
    provider.pay(tradeNo);
    const other = await startWriteSide({ eventStore: side.eventStore });
    const payload = new URLSearchParams(provider.noticeOf(tradeNo)).toString();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const url = '/api/user/lantu/notify';
    const answers = await Promise.all(
      Array.from({ length: 20 }, async (_, i) => {
        const { app } = i % 2 === 0 ? side : other;
        return (await app.inject({ method: 'POST', url, headers, payload })).body;
      }),
    );
    expect(new Set(answers)).toEqual(new Set(['SUCCESS']));
    expect(payments()).toHaveLength(1);
    await vi.waitFor(async () => expect(await balance()).toBe(before + credited));
    expect(side.events<QuotaGranted['data']>('QuotaGranted')).toHaveLength(2);
    await other.stop();
  });
  test('with a wrong signature credits nothing', async () => {
    const tradeNo = await order();
    provider.pay(tradeNo);
    const notice = provider.noticeOf(tradeNo);
    expect(await notify({ ...notice, sign: '0'.repeat(32) })).toBe('FAIL');
    expect(await notify({ ...notice, total_fee: '0.01' })).toBe('FAIL');
    expect(await notify({})).toBe('FAIL');
    await expectNothing();
  });
  test('of another merchant credits nothing', async () => {
    const tradeNo = await order();
    provider.pay(tradeNo);
    expect(await notify(provider.noticeOf(tradeNo, { mch_id: '999' }))).toBe('FAIL');
    await expectNothing();
  });
  test.each(['71.99', '72.01', '0.01', '7200', '', '72.001'])(
    'of %j yuan credits nothing',
    async (fee) => {
      const tradeNo = await order();
      provider.pay(tradeNo);
      expect(await notify(provider.noticeOf(tradeNo, { total_fee: fee }))).toBe('FAIL');
      await expectNothing();
    },
  );
  test('for an order that never was credits nothing', async () => {
    const tradeNo = await order();
    const unknown = { out_trade_no: 'USR1NOaaaaaa1767225600' };
    expect(await notify(provider.noticeOf(tradeNo, unknown))).toBe('FAIL');
    await expectNothing();
  });
  test('that the provider does not stand by when asked credits nothing', async () => {
    const tradeNo = await order();
    expect(await notify(provider.noticeOf(tradeNo))).toBe('FAIL');
    await expectNothing();
  });
  test('that a payment failed is heard and credits nothing', async () => {
    const tradeNo = await order();
    expect(await notify(provider.noticeOf(tradeNo, { code: '1' }))).toBe('SUCCESS');
    await expectNothing();
  });
  test('for an expired order is credited once and marked', async () => {
    const tradeNo = await order();
    laterBy(301_000);
    expect(await statusOf(tradeNo)).toMatchObject({ status: 'expired' });
    provider.pay(tradeNo);
    const notice = provider.noticeOf(tradeNo);
    expect(await notify(notice)).toBe('SUCCESS');
    expect(await notify(notice)).toBe('SUCCESS');
    expect(await statusOf(tradeNo)).toMatchObject({ status: 'success' });
    expect(payments()).toMatchObject([{ late: true, quota: credited }]);
    expect(await balance()).toBe(before + credited);
  });
});

test('a process that died between payment and credit is made up for at the next start', async () => {
  const tradeNo = await order();
  const { eventStore } = side;
  await side.stop();
  const streamId = `topup-${tradeNo}`;
  const paid = aTopUpPaid({ tradeNo, userId: 1 });
  const event = { event: paid, eventId: randomUUID(), metadata: aMetadata() };
  await eventStore.append(streamId, [event], 'any');
  for (let life = 0; life < 2; life += 1) {
    side = await startWriteSide({ eventStore });
    root = side.person();
    await root.signIn(rootUser.username, rootUser.password);
    expect(await statusOf(tradeNo)).toMatchObject({ status: 'success' });
    expect(await balance()).toBe(before + credited);
    if (life === 0) await side.stop();
  }
  expect(side.events<QuotaGranted['data']>('QuotaGranted')).toHaveLength(2);
});

describe('orders whose time ran out', () => {
  const close = async (tradeNo: string) => {
    const dueNow = await side.bus.serve('topup-list.due', async () => ({ tradeNos: [tradeNo] }));
    const { body } = await root.call('POST', '/api/jobs/topup-expiry/run');
    expect(body).toMatchObject({ success: true });
    await vi.waitFor(async () => {
      const { data } = (await root.call('GET', '/api/jobs')).body as {
        data: JobRow[];
      };
      const job = data.find(({ name }) => name === 'topup-expiry');
      if (!job?.runs.some(({ asked_by }) => asked_by === 1))
        throw new Error('the run has not ended');
    });
    await dueNow();
  };
  test('are closed by a job', async () => {
    const tradeNo = await order();
    laterBy(301_000);
    await close(tradeNo);
    expect(side.events('TopUpExpired')).toMatchObject([{ tradeNo, reason: 'time' }]);
  });
  test('are asked about once more, and credited when somebody had paid', async () => {
    const tradeNo = await order();
    provider.pay(tradeNo);
    laterBy(301_000);
    await close(tradeNo);
    expect(side.events('TopUpExpired')).toEqual([]);
    expect(payments()).toMatchObject([{ source: 'query', late: true }]);
  });
  test('stay open while their time has not run out', async () => {
    await close(await order());
    expect(side.events('TopUpExpired')).toEqual([]);
  });
});

describe('an order paid through the gateway’s form', () => {
  const place = async () => {
    const body = { amount: 10, payment_method: 'zfb', top_up_code: '' };
    const answer = await post('/api/user/pay', body);
    return { fields: answer.data as Record<string, string>, url: answer.url };
  };
  const noticeOf = (fields: Record<string, string>, changes: Record<string, string> = {}) => {
    const { out_trade_no = '', name = '', money = '' } = fields;
    const told = { pid: '1001', trade_no: 'G1', out_trade_no, type: 'alipay', name, money };
    const notice = { ...told, trade_status: 'TRADE_SUCCESS', ...changes };
    return { ...notice, sign: epaySignature(notice, 'epay-secret'), sign_type: 'MD5' };
  };
  const read = async (fields: Record<string, string>) =>
    (await side.app.inject(`/api/user/epay/notify?${new URLSearchParams(fields)}`)).body;

  test('has a signed form for the browser', async () => {
    const { fields, url } = await place();
    expect(url).toBe('https://pay.example.com/submit.php');
    expect(fields).toMatchObject({ pid: '1001', type: 'alipay', name: 'TUC10', money: '72.00' });
    expect(fields.sign).toBe(epaySignature(fields, 'epay-secret'));
  });
  test('is credited once by notices of both forms', async () => {
    const { fields } = await place();
    const notice = noticeOf(fields);
    expect(await read(notice)).toBe('success');
    expect(await form('/api/user/epay/notify', notice)).toBe('success');
    expect(payments()).toMatchObject([{ provider: 'epay', providerReference: 'G1' }]);
    expect(await balance()).toBe(before + credited);
  });
  test.each([{ pid: '1002' }, { money: '0.01' }, { out_trade_no: 'USR1NOaaaaaa1767225600' }])(
    'is not credited by a notice with %j',
    async (changes) => {
      const { fields } = await place();
      expect(await read(noticeOf(fields, changes))).toBe('fail');
      await expectNothing();
    },
  );
  test('is not credited before the money came', async () => {
    const { fields } = await place();
    expect(await read(noticeOf(fields, { trade_status: 'WAIT_BUYER_PAY' }))).toBe('success');
    expect(await read({ ...noticeOf(fields), sign: 'x' })).toBe('fail');
    await expectNothing();
  });
  test('is not credited by a notice of the other provider', async () => {
    const { fields } = await place();
    const own = await order();
    const notice = provider.noticeOf(own, { out_trade_no: fields.out_trade_no ?? '' });
    expect(await notify(notice)).toBe('FAIL');
    await expectNothing();
  });
  test('is refused while the gateway is not set up', async () => {
    await setOption('EpayId', '');
    expect(await post('/api/user/pay', { amount: 10, payment_method: 'wx' })).toMatchObject({
      code: 'topup.not-configured',
    });
  });
});
