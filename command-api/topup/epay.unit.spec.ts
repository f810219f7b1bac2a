import { describe, expect, test } from 'vitest';
import { before, credited, startTopUpSides } from '../../tests/support/topup-side.ts';
import { epaySignature } from './epay.ts';

const site = startTopUpSides();
const { setOption, post, form, balance, payments, order, notify, expectNothing } = site;

describe('an order paid through the gateway’s form', () => {
  const place = async () => {
    const body = { amount: 10, payment_method: 'zfb', top_up_code: '' };
    const answer = await post('/api/user/pay', body);
    return { fields: answer.data as Record<string, string>, url: answer.url };
  };
  const noticeOf = (fields: Record<string, string>, changes: Record<string, string> = {}) => {
    const { out_trade_no = '', name = '', money = '' } = fields;
    const reported = { pid: '1001', trade_no: 'G1', out_trade_no, type: 'alipay', name, money };
    const notice = { ...reported, trade_status: 'TRADE_SUCCESS', ...changes };
    return { ...notice, sign: epaySignature(notice, 'epay-secret'), sign_type: 'MD5' };
  };
  const read = async (fields: Record<string, string>) =>
    (await site.side.app.inject(`/api/user/epay/notify?${new URLSearchParams(fields)}`)).body;

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
  test('is not credited before the money arrived', async () => {
    const { fields } = await place();
    expect(await read(noticeOf(fields, { trade_status: 'WAIT_BUYER_PAY' }))).toBe('success');
    expect(await read({ ...noticeOf(fields), sign: 'x' })).toBe('fail');
    await expectNothing();
  });
  test('is not credited by a notice of the other provider', async () => {
    const { fields } = await place();
    const own = await order();
    const notice = site.provider.noticeOf(own, { out_trade_no: fields.out_trade_no ?? '' });
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
