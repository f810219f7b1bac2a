import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { epaySignature, isEpayNotice } from './epay.ts';
import { isLantuNotice, lantuSignature } from './lantu.ts';
import { isSameSignature, signedText } from './signature.ts';

const md5 = (text: string) => createHash('md5').update(text, 'utf8').digest('hex');

test('signed fields are in the order of their names, without the empty ones', () => {
  expect(signedText({ b: '2', a: '一', c: '', A: '0' })).toBe('A=0&a=一&b=2');
});

test('WeChat payments are signed in capitals, with the key as the last field', () => {
  const fields = { mch_id: '1', out_trade_no: 'T', timestamp: '1767225600' };
  const text = 'mch_id=1&out_trade_no=T&timestamp=1767225600&key=secret';
  expect(lantuSignature(fields, 'secret')).toBe(md5(text).toUpperCase());
});

test('the gateway signs in small letters, with the key right behind the fields', () => {
  const fields = { pid: '1', money: '72.00', sign: 'x', sign_type: 'MD5', name: '' };
  expect(epaySignature(fields, 'secret')).toBe(md5('money=72.00&pid=1secret'));
});

test('a notice that anybody touched is not from the provider', () => {
  const signed = {
    code: '0',
    timestamp: '1',
    mch_id: '1',
    order_no: '2',
    out_trade_no: 'T',
    pay_no: '3',
    total_fee: '72.00',
  };
  const notice = { ...signed, sign: lantuSignature(signed, 'secret'), pay_channel: 'wxpay' };
  expect(isLantuNotice(notice, 'secret')).toBe(true);
  expect(isLantuNotice({ ...notice, pay_channel: 'other' }, 'secret')).toBe(true);
  for (const name of Object.keys(signed)) {
    expect(isLantuNotice({ ...notice, [name]: '9' }, 'secret')).toBe(false);
  }
  expect(isLantuNotice(notice, 'other')).toBe(false);
  expect(isLantuNotice(signed, 'secret')).toBe(false);
  const form = { pid: '1', money: '72.00', sign_type: 'MD5' };
  const reported = { ...form, sign: epaySignature(form, 'secret') };
  expect(isEpayNotice(reported, 'secret')).toBe(true);
  expect(isEpayNotice({ ...reported, money: '0.01' }, 'secret')).toBe(false);
  expect(isEpayNotice({ ...reported, extra: '1' }, 'secret')).toBe(false);
});

test('signatures of other lengths are compared without a fault', () => {
  expect(isSameSignature('', 'abc')).toBe(false);
  expect(isSameSignature('é', 'ab')).toBe(false);
  expect(isSameSignature('ABC', 'abc')).toBe(true);
});
